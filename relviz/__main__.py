"""`python -m relviz` is the command `relviz`."""

import sys

from relviz.cli import main

if __name__ == "__main__":
    sys.exit(main())
