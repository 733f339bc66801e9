#!/bin/sh
# check_trace.sh - t2t check of traces: every damage, what is odd, the status.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "$top_srcdir/tests/cli/damage.sh"
mkdir "$work/tmp"
TMPDIR=$work/tmp
export TMPDIR
cd "$work" || exit 99
T2T=$(cd "$OLDPWD" && realpath "$T2T")

run t2t check odd.json
expect_status 0
expect_empty err
expect_text out <<'END'
odd.json: odd: gpu-without-launch 1 time, first element 1, byte 71: GPU event without a launch, a root of its own
odd.json: suspect: no-launches 1, first id 1: GPU events, but no launches are there: no operation and no module has GPU time
odd.json: whole: a trace of 2 events, 140 bytes of JSON
END
expect_no_file odd.json.t2t
cp out want
run t2t check - <odd.json
expect_status 0
sed 's/^odd\.json/standard input/' want | expect_text out
run t2t check --format json odd.json
expect_status 0
expect_text out <<'END'
{"file":"odd.json","kind":"trace","damages":[],"odd":[{"kind":"gpu-without-launch","count":1,"first_position":1,"first_offset":71,"what":"GPU event without a launch, a root of its own","places":[{"position":1,"offset":71}]}],"suspects":[{"kind":"no-launches","count":1,"first":1,"what":"GPU events, but no launches are there: no operation and no module has GPU time"}],"ok":true,"default":"builds","events":2,"bytes":140}
END
run t2t check -q odd.json
expect_status 0
expect_empty out

describe 'damage inside values'
run t2t check repaired.json
expect_status 1
expect_empty err
grep -v ' suspect: ' out >rest
mv rest out
expect_text out <<'END'
repaired.json: byte 38, element 0: json-escape: a backslash begins no escape; a build takes it for itself
repaired.json: byte 153, element 1: json-number: this is no number of JSON; a build makes it null
repaired.json: byte 162, element 1: json-number: this is no number of JSON; a build makes it null
repaired.json: byte 204, element 2: json-escape: a backslash begins no escape; a build takes it for itself
repaired.json: byte 278, element 3: json-control-char: a raw control character in a string; a build escapes it
repaired.json: byte 284, element 3: utf8: this is no UTF-8; a build puts U+FFFD in its place
repaired.json: byte 319, outside the events: truncated: the array ends without its bracket; a build closes it
repaired.json: damaged: a build makes 7 repairs and keeps all 4 events
END
run t2t check -q repaired.json
expect_status 1
expect_empty out
expect_empty err
printf '{"traceEvents":[1],"traceEvents":[2,3]}' >twice.json
run t2t build twice.json
expect_status 3
expect_line err 't2t: twice.json: not-a-trace: traceEvents is there twice; build --salvage keeps the first (at byte 32)'
run t2t check twice.json
expect_status 1
expect_line out 'twice.json: byte 32, outside the events: not-a-trace: traceEvents is there twice; a build ends here, --salvage gives up 21 bytes from byte 18 on'
for rest in '[2,,3]}' '[2,{"a":1}]}}' '[2,' '7' '[2],x}'; do
    describe "what is bad in the second: $rest"
    printf '{"traceEvents":[1],"traceEvents":%s' "$rest" >twice.json
    run t2t build twice.json
    expect_status 3
    expect_line err 't2t: twice.json: not-a-trace: traceEvents is there twice; build --salvage keeps the first (at byte 32)'
    run t2t check twice.json
    expect_status 1
    expect_line out "twice.json: byte 32, outside the events: not-a-trace: traceEvents is there twice; a build ends here, --salvage gives up $((15 + ${#rest})) bytes from byte 18 on"
done
describe 'what is bad before the second'
printf '{"traceEvents":[1],,"traceEvents":[2]}' >twice.json
run t2t build twice.json
expect_status 3
expect_match err 'json-syntax: .*(at byte 19)'
printf '{"traceEvents":[1,]}' >comma.json
run t2t check comma.json
expect_status 1
expect_line out 'comma.json: byte 18, outside the events: json-syntax: a comma behind the last element; a build leaves it out'

describe 'structural damage'
run t2t check lost.json
expect_status 1
expect_empty err
expect_text out <<'END'
lost.json: byte 157, element 1: json-syntax: a colon must come here; a build ends here, --salvage gives up 75 bytes from byte 86 on, 1 element
lost.json: byte 232, element 2: json-number: this is no number of JSON; --salvage makes it null
lost.json: byte 246, outside the events: extra-data: more text follows the document; --salvage gives up 5 bytes from byte 246 on
lost.json: suspect: no-gpu-events: the tree has no GPU event: tables of GPU time are empty
lost.json: damaged: a build refuses it; --salvage makes 1 repair, gives up 2 parts (80 bytes, 1 event) and keeps 2 events
END
run t2t check --format json lost.json
expect_status 1
expect_text out <<'END'
{"file":"lost.json","kind":"trace","damages":[{"class":"json-syntax","offset":157,"position":1,"text":"a colon must come here","default":"refused","lost":{"offset":86,"bytes":75,"elements":1}},{"class":"json-number","offset":232,"position":2,"text":"this is no number of JSON","default":"not reached","lost":null},{"class":"extra-data","offset":246,"position":null,"text":"more text follows the document","default":"not reached","lost":{"offset":246,"bytes":5,"elements":0}}],"odd":[],"suspects":[{"kind":"no-gpu-events","count":0,"first":null,"what":"the tree has no GPU event: tables of GPU time are empty"}],"ok":false,"default":"is refused","events":3,"bytes":251}
END

describe 'containers'
if command -v gzip >/dev/null; then
    gzip -nc odd.json >crc.json.gz
    bytes=$(wc -c <crc.json.gz)
    head -c $((bytes - 8)) crc.json.gz >cut.json.gz
    printf 'aaaa' | dd of=crc.json.gz bs=1 seek=$((bytes - 8)) conv=notrunc \
        2>/dev/null
    run t2t check crc.json.gz
    expect_status 1
    expect_match out "^crc\.json\.gz: byte [0-9]+ of the compressed file: gzip-crc: the gzip data does not match its checksum; a build ends here, --salvage goes on$"
    expect_line out 'crc.json.gz: damaged: a build refuses it; --salvage gives up 1 part (0 bytes, 0 events) and keeps 2 events'
    run t2t check --format json cut.json.gz
    expect_status 1
    # the byte where the file ends, not one of the text
    expect_match out "\"damages\":\[\{\"class\":\"gzip-truncated\",\"offset\":$((bytes - 8)),"
    # what a build says of it
    for row in 'tail:x:gzip-data: the gzip data is followed by something else' \
        'zeros:\000x:gzip-data: the gzip data is followed by something else' \
        'head:\037\213\010\377:gzip-data: the gzip header has unknown flags' \
        'half:\037\213\010:gzip-truncated: the gzip data is cut short'; do
        file=${row%%:*}.json.gz
        text=${row#*:*:}
        more=${row#*:}
        gzip -nc odd.json >"$file"
        # shellcheck disable=SC2059 # with its escapes
        printf "${more%%:*}" >>"$file"
        run t2t build "$file"
        expect_status 3
        expect_match err "^t2t: $file: $text; build --salvage keeps what is whole \(at byte "
        run t2t check "$file"
        expect_status 1
        expect_match out "^$file: byte [0-9]+ of the compressed file: $text; a build ends here, --salvage goes on$"
    done
    # packed NAME BYTES: NAME.json in two parts, the second one damaged
    packed() {
        head -c "$2" "$1.json" | gzip -nc >"$1.json.gz"
        tail -c +$(($2 + 1)) "$1.json" | gzip -nc >>"$1.json.gz"
        bytes=$(($(wc -c <"$1.json.gz") - 8))
        printf 'aaaa' | dd of="$1.json.gz" bs=1 seek=$bytes conv=notrunc \
            2>/dev/null
        run t2t build "$1.json.gz"
        expect_status 3
    }

    # what is told before it and behind it is in the order of a build
    packed repaired 200
    expect_match err ": gzip-crc: .* \(at byte $bytes of the compressed file\)$"
    run t2t check repaired.json.gz
    expect_status 1
    sed 's/; [^;]*$/;/' out | head -n 7 >rest
    mv rest out
    expect_text out <<END
repaired.json.gz: byte 38, element 0: json-escape: a backslash begins no escape;
repaired.json.gz: byte 153, element 1: json-number: this is no number of JSON;
repaired.json.gz: byte 162, element 1: json-number: this is no number of JSON;
repaired.json.gz: byte $bytes of the compressed file: gzip-crc: the gzip data does not match its checksum;
repaired.json.gz: byte 204, element 2: json-escape: a backslash begins no escape;
repaired.json.gz: byte 278, element 3: json-control-char: a raw control character in a string;
repaired.json.gz: byte 284, element 3: utf8: this is no UTF-8;
END
    packed lost 200
    expect_match err ': json-syntax: .* \(at byte 157\)$'
    run t2t check lost.json.gz
    expect_status 1
    sed -i '/suspect/d' out
    expect_text out <<END
lost.json.gz: byte 157, element 1: json-syntax: a colon must come here; a build ends here, --salvage gives up 75 bytes from byte 86 on, 1 element
lost.json.gz: byte $bytes of the compressed file: gzip-crc: the gzip data does not match its checksum; --salvage goes on
lost.json.gz: byte 232, element 2: json-number: this is no number of JSON; --salvage makes it null
lost.json.gz: byte 246, outside the events: extra-data: more text follows the document; --salvage gives up 5 bytes from byte 246 on
lost.json.gz: damaged: a build refuses it; --salvage makes 1 repair, gives up 3 parts (80 bytes, 1 event) and keeps 2 events
END
    packed lost 100
    expect_match err ": gzip-crc: .* \(at byte $bytes of the compressed file\)$"
    run t2t check lost.json.gz
    expect_status 1
    expect_match out ': gzip-crc: .*; a build ends here, --salvage goes on$'
    expect_match out ': byte 157, element 1: .*; --salvage gives up 75 bytes'
else
    skip_one 'gzip' 'gzip is missing'
fi

describe 'many damages'
{
    printf '{"traceEvents":[\n'
    i=0
    while [ $i -lt 250 ]; do
        operation 'a\q'
        printf ',\n'
        i=$((i + 1))
    done
    operation c
    printf ']}\n'
} >many.json
run t2t check many.json
expect_status 1
check 'there are 100 lines of them' test "$(grep -c ': json-escape: ' out)" = 100
expect_line out 'many.json: and 150 damages more (--all)'
expect_line out 'many.json: damaged: a build makes 250 repairs and keeps all 251 events'
run t2t check --all -j 2 many.json
check 'there are all' test "$(grep -c ': json-escape: ' out)" = 250
expect_no_match out 'more'
run t2t check --format json many.json
check 'JSON has all' test "$(grep -o '"default":"repaired"' out | wc -l)" = 250

describe 'many odd things'
{
    printf '\357\273\277{"a":1,"a":2,"traceEvents":[\n'
    for i in 0 1 2 3 4 5; do
        printf '{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":%d},\n' $i
    done
    printf '{"ph":1},1]}\n'
} >odds.json
run t2t check odds.json
expect_status 0
expect_text out <<'END'
odds.json: odd: not-an-object 1 time, first element 7, byte 407: element is no object
odds.json: odd: no-phase 1 time, first element 6, byte 398: ph is missing or no string
odds.json: odd: no-time 1 time, first element 6, byte 398: ts is missing, no number or past 64 bits, so it is outside the tree
odds.json: odd: no-duration 6 times, first element 0, byte 32: X event without dur, which counts as 0
odds.json: odd: no-duration: then element 1, byte 93; element 2, byte 154; element 3, byte 215; and 2 more (--all)
odds.json: odd: gpu-without-launch 6 times, first element 0, byte 32: GPU event without a launch, a root of its own
odds.json: odd: gpu-without-launch: then element 1, byte 93; element 2, byte 154; element 3, byte 215; and 2 more (--all)
odds.json: odd: gpu-at-zero 1 time, first element 0, byte 32: GPU event that starts at 0
odds.json: odd: byte-order-mark 1 time, first byte 0: document begins with a byte order mark
odds.json: odd: duplicate-member 1 time, first byte 14: key occurs twice at the top of the document
odds.json: suspect: no-launches 6, first id 0: GPU events, but no launches are there: no operation and no module has GPU time
odds.json: whole: a trace of 8 events, 411 bytes of JSON
END
run t2t check --all odds.json
expect_status 0
sed -n '/gpu-without/p' out >rest
mv rest out
expect_text out <<'END'
odds.json: odd: gpu-without-launch 6 times, first element 0, byte 32: GPU event without a launch, a root of its own
odds.json: odd: gpu-without-launch: element 0, byte 32
odds.json: odd: gpu-without-launch: element 1, byte 93
odds.json: odd: gpu-without-launch: element 2, byte 154
odds.json: odd: gpu-without-launch: element 3, byte 215
odds.json: odd: gpu-without-launch: element 4, byte 276
odds.json: odd: gpu-without-launch: element 5, byte 337
END
run t2t check --format json odds.json
expect_match out '"kind":"gpu-without-launch","count":6,.*"places":\[\{"position":0,"offset":32\},\{"position":1,"offset":93\},.*\{"position":5,"offset":337\}\]'
expect_match out '"kind":"byte-order-mark",.*"places":\[\{"position":null,"offset":0\}\]'
# what is given up is not odd, and has a place
printf '[{"ph":},{"ph":"X"}]' >null.json
run t2t check --all null.json
expect_status 1
expect_no_match out 'not-an-object'
expect_line out 'null.json: odd: no-time: element 1, byte 9'

describe 'what is no trace'
for text in '{"traceEvents":1}' '{"a":[}' '{"a":1' '{}'; do
    printf %s "$text" >no.json
    run t2t check no.json
    expect_status 3
    expect_match err '^t2t: no\.json: [a-z-]+: '
done
run t2t check --format json no.json odd.json
expect_status 3
expect_line out '{"file":"no.json","kind":"trace","damages":[{"class":"not-a-trace","offset":null,"position":null,"text":"no traceEvents array at the top of the document","default":"refused","lost":null}],"odd":[],"suspects":[],"ok":false,"default":"is refused","events":null,"bytes":null}'
expect_match out '^\{"file":"odd\.json".*"ok":true'
# what a build says, not that it is no index
: >empty.json
printf ' \n' >space.json
printf '\377\376[\0]\0' >utf16.json
printf '{\0}\0' >utf16le.json
for row in empty:truncated space:truncated utf16:encoding utf16le:encoding; do
    name=${row%:*}.json
    run t2t build -f "$name"
    expect_status 3
    expect_match err "^t2t: $name: ${row#*:}: "
    sed 's/; build --salvage[a-z ]* (/ (/' err >said
    run t2t check "$name"
    expect_status 3
    expect_empty out
    expect_text err <said
    run t2t check --format json "$name"
    expect_status 3
    expect_match out "^\{\"file\":\"$name\",\"kind\":\"trace\",\"damages\":\[\{\"class\":\"${row#*:}\""
done
describe 'what is neither'
printf 'nothing' >text
printf '"traceEvents"' >string
printf '\177ELF\002\001\001\0\0\0\0' >program
for row in text:json-syntax:1 string:not-a-trace:null program:json-syntax:0; do
    name=${row%%:*}
    class=${row#*:}
    run t2t build -f "$name"
    expect_status 3
    expect_match err "^t2t: $name: ${class%:*}: "
    run t2t check "$name"
    expect_status 3
    expect_empty out
    expect_match err "^t2t: $name: ${class%:*}: neither a trace nor an index: "
    run t2t check --format json "$name"
    expect_status 3
    expect_match out "^\{\"file\":\"$name\",\"kind\":null,\"damages\":\[\{\"class\":\"${class%:*}\",\"offset\":${class#*:},.*\"text\":\"neither a trace nor an index: .*\"ok\":false"
done
printf 'PK\003\004 and more' >archive
run t2t check archive
expect_status 3
expect_line err 't2t: archive: encoding: the text is a zip archive; take the trace out first: unzip -p (at byte 0)'
# a trace that lacks its first byte is one
printf '"traceEvents":[\n%s\n]}' "$(operation a)" >headless
run t2t check headless
expect_status 1
expect_match out '^headless: byte 13, outside the events: extra-data: .* a build ends here, '
expect_line out 'headless: damaged: a build refuses it; --salvage gives up 1 part (15 bytes, 0 events) and keeps 1 event'
# so is one behind a stray byte, and a build says what to do
for text in ')%s' '){"traceEvents":%s}'; do
    # shellcheck disable=SC2059 # with its %s
    printf "$text" "$(cat odd.json)" >stray
    run t2t build stray
    expect_status 3
    expect_line err 't2t: stray: json-syntax: a value must come here; build --salvage keeps what is whole (at byte 0)'
    run t2t build --salvage --force stray
    expect_status 4
    expect_match err ' 2 events'
done
# nor is it said where --salvage would keep no event
for text in 'some text' '{"a": x' '{"a": 1' '{"traceEvents": [' '{"traceEvents": [{"ph": "X",' \
    '{"traceEvents": [], "a": x}' '{"traceEvents": [1' '{"a": 1} x'; do
    printf '%s' "$text" >nothing
    for command in 'build' 'info' 'build -q'; do
        # shellcheck disable=SC2086 # words
        run t2t $command nothing
        expect_status 3
        expect_match err '^t2t: nothing: '
        expect_no_match err salvage
    done
done
if command -v gzip >/dev/null; then
    gzip -nc odd.json | head -c 15 >nothing
    run t2t build nothing
    expect_match err '^t2t: nothing: gzip-truncated: the gzip data is cut short \(at byte 15'
fi
printf '{"traceEvents": [1,' >nothing
run t2t build nothing
expect_match err ': traceEvents is cut short after 1 whole element; build --salvage keeps what is whole \('

describe 'an index for a build'
run t2t build odd.json
run t2t build odd.json.t2t
expect_status 3
expect_line err 't2t: odd.json.t2t: not-a-trace: this is an index, which is there to be used (at byte 0)'

describe 'an index that was carried as text'
tr -d '\r' <odd.json.t2t >carried.t2t
for command in check info tree; do
    run t2t $command carried.t2t
    expect_status 3
    expect_line err 't2t: carried.t2t: index-format: not an index any more: its first bytes were changed, as by a transfer as text (at byte 0)'
done
run t2t check --format json carried.t2t
expect_status 3
expect_match out '"class":"index-format","offset":0,'
rm odd.json.t2t
run t2t check none.json
expect_status 3
expect_empty out

describe 'several files, an index among them'
"$T2T" build -q odd.json
run t2t check lost.json odd.json.t2t odd.json
expect_status 1
expect_match out '^odd\.json\.t2t: whole: '
expect_match out '^odd\.json: whole: '
run t2t check -o report lost.json
expect_status 1
check 'the report is whole' grep -q 'lost\.json: damaged: ' report
run t2t check -j 2000 odd.json
expect_status 2
expect_line err "t2t: -j takes at most 1024; see 't2t help check'"
run_command env TMPDIR="$work/none" "$T2T" check odd.json
expect_status 5
expect_line err "t2t: $work/none: io: cannot make a private index in it: No such file or directory"

describe 'nothing is left'
check 'in TMPDIR' test -z "$(ls tmp)"
mkfifo fifo
if command -v "$PYTHON" >/dev/null; then
    run_command "$PYTHON" "$top_srcdir/tests/cli/send.py" INT fifo:fifo \
        "$T2T" check fifo
    expect_line out 'exit 130'
    expect_text err <<'END'
t2t: interrupted
END
    check 'in TMPDIR' test -z "$(ls tmp)"
else
    skip_one 'a signal' 'python is missing'
fi
finish
