#!/bin/sh
# calls.sh - see run_faults.py, which has all of it.
. "${top_srcdir:-.}/tests/cli/lib.sh"
need "$PYTHON"
"$PYTHON" "$top_srcdir/tests/fault/run_faults.py" calls
