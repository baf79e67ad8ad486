"""A process that judges odd cases, one line for each: `python fuzz_worker.py KIND FIRST LAST`.

Each line is JSON: number, outcome, processor seconds of the case, the most memory so far in MB. The one who began it
sees by the lines where it died or hangs.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
import traceback
from pathlib import Path

from fuzz_kinds import KINDS


def main(kind: str, first: int, last: int) -> None:
    """Judge the cases of these numbers, the last one included."""
    with tempfile.TemporaryDirectory() as home, KINDS[kind](Path(home)) as judge:
        for number in range(first, last + 1):
            before = time.process_time()
            try:
                outcome: str = judge(number)
            except Exception:
                outcome = traceback.format_exc(limit=-4)
            used = time.process_time() - before
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            sys.stdout.write(json.dumps([number, outcome, used, most]) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
