#!/bin/sh
# layouts.sh - with learned layouts and without, a build is the same; TAP.
python=${PYTHON:-python3}
if ! command -v "$python" >/dev/null; then
    echo '1..0 # SKIP no python3'
    exit 0
fi
exec "$python" -B "${top_srcdir:-.}/tests/golden/run_layouts.py" all
