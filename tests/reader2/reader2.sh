#!/bin/sh
# reader2.sh - a second reader of the index, written from doc/format.md alone; TAP.
python=${PYTHON:-python3}
if ! command -v "$python" >/dev/null; then
    echo '1..0 # SKIP no python3'
    exit 0
fi
exec "$python" -B "${top_srcdir:-.}/tests/reader2/run_reader2.py"
