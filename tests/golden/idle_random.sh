#!/bin/sh
# idle_random.sh - launches and gaps of random traces against a judge; TAP.
python=${PYTHON:-python3}
if ! command -v "$python" >/dev/null; then
    echo '1..0 # SKIP no python3'
    exit 0
fi
exec "$python" -B "${top_srcdir:-.}/tests/golden/run_idle.py" random
