"""What all tests share."""

import os

from hypothesis import settings

# A busy machine is slow, not wrong.
settings.register_profile("relviz", deadline=None)
settings.load_profile("relviz")

# ranx is asked about small inputs only: interpreted it answers at once, compiled by numba it takes minutes.
os.environ["NUMBA_DISABLE_JIT"] = "1"
