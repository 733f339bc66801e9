#!/bin/sh
# check.sh - t2t check of indexes: whole, damaged, none.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "$top_srcdir/tests/cli/small.sh"
index=$work/small.json.t2t
bytes=$(wc -c <"$index")
commas=$(echo "$bytes" | sed 's/\([0-9]\)\([0-9]\{3\}\)$/\1,\2/')
sections=$("$T2T" info --sections --format json "$index" | "$PYTHON" -c '
import json, sys
print(len(json.load(sys.stdin)["sections"]))')
ok="{\"file\":\"$index\",\"kind\":\"index\",\"ok\":true,\"sections\":$sections,\"bytes\":$bytes,\"damages\":[]}"

# change OFFSET: writes $work/bad with another byte there.
change() {
    cp "$index" "$work/bad"
    printf '\252' | dd of="$work/bad" bs=1 seek="$1" conv=notrunc 2>/dev/null
}

run t2t check "$index"
expect_status 0
expect_empty err
expect_text out <<END
$index: whole: $sections sections, $commas bytes, 9 events
END
run t2t check -q "$index"
expect_status 0
expect_empty out
run t2t check --format json "$index"
expect_status 0
expect_text out <<END
$ok
END

describe 'damage that does not hinder opening'
change 160 # in the first section
run t2t check "$work/bad"
expect_status 1
expect_empty err
expect_match out '^.*/bad: index-damage: wrong checksum of section [A-Z_]+ \(at byte [0-9]+\)$'
run t2t check -q "$work/bad"
expect_status 1
expect_empty out
expect_empty err
run t2t check --format json "$work/bad" "$index"
expect_status 1
expect_match out '^\{"file":".*/bad","kind":"index","ok":false,"sections":[0-9]+,"bytes":[0-9]+,"damages":\[\{"class":"index-damage","offset":[0-9]+,"text":"wrong checksum of section [A-Z_]+"\}\]\}$'
expect_line out "$ok"

describe 'damage that does'
change 70
run t2t check "$work/bad"
expect_status 1
expect_line out "$work/bad: index-damage: wrong checksum of the header (at byte 120)"
run t2t check --format json "$work/bad"
expect_status 1
expect_line out "{\"file\":\"$work/bad\",\"kind\":\"index\",\"ok\":false,\"sections\":null,\"bytes\":null,\"damages\":[{\"class\":\"index-damage\",\"offset\":120,\"text\":\"wrong checksum of the header\"}]}"
head -c 500 "$index" >"$work/bad"
run t2t check "$work/bad"
expect_status 1
expect_match out ': index-damage: file of 500 bytes'

describe 'what is no index'
echo hello >"$work/letter"
run t2t check "$work/letter" "$index"
expect_status 3
expect_line err "t2t: $work/letter: json-syntax: neither a trace nor an index: a value must come here, and no events follow (at byte 0)"
expect_match out ': whole: '
run t2t check "$work/none" "$work"
expect_status 3
expect_match err 'none: io: cannot open the file'
expect_line err "t2t: $work: not-a-trace: neither a trace nor an index: this is a directory; name a file in it"
change 8
run t2t check "$work/bad"
expect_status 3
expect_match err '^t2t: .*/bad: index-version: '
run t2t check --format json "$work/bad" "$work/none"
expect_status 3
expect_match out '/bad","kind":"index","ok":false,.*"damages":\[\{"class":"index-version","offset":8,"text":"format 170\.'
expect_line out "{\"file\":\"$work/none\",\"kind\":null,\"ok\":false,\"sections\":null,\"bytes\":null,\"damages\":[{\"class\":\"io\",\"offset\":null,\"text\":\"cannot open the file: No such file or directory\"}]}"
run t2t check -q --format json "$work/none"
expect_status 3
expect_empty out
run t2t check
expect_status 2
expect_line err "t2t: check takes TRACE|INDEX...; see 't2t help check'"

describe 'a closed pipe'
mkfifo "$work/fifo"
{
    "$T2T" check "$index" - <"$work/fifo"
    echo $? >"$work/status"
} 2>"$work/err" | {
    exec <&-
    : >"$work/fifo"
}
check 'the status is the answer' grep -qx 3 "$work/status"

describe 'the report in a file'
run t2t check -o "$work/report" "$index"
expect_status 0
expect_empty out
check 'it is there' grep -q ': whole: ' "$work/report"
change $((bytes / 4))
run t2t check -o "$work/report" "$work/bad"
expect_status 1
check 'damage is a report, too' grep -q ': index-damage: ' "$work/report"
rm "$work/report"
run t2t check -o "$work/report" "$work/bad" "$work/none"
expect_status 3
expect_match err '/none: io: '
check 'what could be read is reported' grep -q ': index-damage: ' "$work/report"
run t2t check -o "$work/none.report" "$work/none"
expect_status 3
check 'no report of nothing' test ! -e "$work/none.report"
run t2t check --format json -o "$work/report" "$work/none"
expect_status 3
check 'JSON has it' grep -q '"kind":null' "$work/report"
run t2t check -o "$index" "$index"
expect_status 2
expect_match err 'would be written over'
run t2t check "$index"
expect_status 0
finish
