#!/bin/sh
# input.sh - what is said of an index that is none, or cannot be read.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "$top_srcdir/tests/cli/small.sh"
index=$work/small.json.t2t

refused() { # refused STATUS LINE NAME
    run t2t info "$3"
    expect_status "$1"
    expect_empty out
    expect_line err "t2t: $2"
}

# change OFFSET BYTES: writes $work/bad with other bytes there.
change() {
    cp "$index" "$work/bad"
    # shellcheck disable=SC2059 # the bytes are a format
    printf "$2" | dd of="$work/bad" bs=1 seek="$1" conv=notrunc 2>/dev/null
}

refused 3 "$work/none: io: cannot open the file: No such file or directory" \
    "$work/none"
mkdir "$work/folder"
refused 3 "$work/folder: index-format: a directory is no index" "$work/folder"
change 8 '\002'
refused 3 "$work/bad: index-version: format 2.1, this program reads 1 (at byte 8)" "$work/bad"
change 70 '\377'
refused 3 "$work/bad: index-damage: wrong checksum of the header (at byte 120)" "$work/bad"
head -c 500 "$index" >"$work/bad"
run t2t dump "$work/bad"
expect_status 3
expect_match err '^t2t: .*bad: index-damage: file of 500 bytes, its header says [0-9]+ \(at byte 16\)$'

describe 'no permission'
if [ "$(id -u)" != 0 ]; then
    cp "$index" "$work/closed"
    chmod 0 "$work/closed"
    run t2t info "$work/closed"
    expect_status 5
fi

describe 'frames that are damaged'
frames=$("$T2T" info --sections --format json "$index" | "$PYTHON" -c '
import json, struct, sys
data = open(sys.argv[1], "rb").read()
table, count = struct.unpack_from("<QI", data, 24)
for i in range(count):
    id, record, offset = struct.unpack_from("<IIQ", data, table + 48 * i)
    if id == 29:
        print(offset + 9)' "$index")
change "$frames" '\252\252\252\252'
run t2t dump "$work/bad"
expect_status 3
expect_match err '^t2t: .*bad: index-damage: frame 0 is damaged \(at byte [0-9]+\)$'
finish
