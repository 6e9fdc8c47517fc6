"""Thin shells around pictures and steps: self-contained HTML that works with no kernel and no network."""
