#!/bin/sh
# figures.sh - what the tool that ours is compared with prints; TAP.
python=${PYTHON:-python3}
if ! command -v "$python" >/dev/null; then
    echo '1..0 # SKIP no python3'
    exit 0
fi
exec "$python" -B "${top_srcdir:-.}/tests/golden/figures.py"
