#!/bin/sh
# salvage.sh - what build, info and the others say of a damaged trace, and of
# what is suspect.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "$top_srcdir/tests/cli/damage.sh"
repaired=$work/repaired.json
lost=$work/lost.json

# said: what stands behind the first line of err is standard input.
said() {
    sed 1d "$work/err" >"$work/rest"
    mv "$work/rest" "$work/err"
    expect_text err
}

describe 'damage inside values'
run t2t build "$repaired"
expect_status 0
expect_empty out
expect_match err '^t2t: .*repaired\.json\.t2t: 4 events, 4 in the tree, 0 on GPUs \(0 with a launch\); [0-9.]+ [mu]?s$'
said <<'END'
  repaired: 2 strings with bad escapes, 1 string with a control character, 1
    string that was no UTF-8, 2 numbers, 1 array without its end (first at byte
    38)
  suspect: no-gpu-events: the tree has no GPU event: tables of GPU time are
    empty
END
run t2t info "$repaired"
expect_status 0
expect_empty err
expect_line out 'repaired-utf8              1               3           284  string with bytes that are no UTF-8, which became U+FFFD'
expect_no_match out '^Lost$'
cp "$repaired.t2t" "$work/first"
run t2t build --salvage --force -q "$repaired"
expect_status 0
expect_empty err
check 'with --salvage it is the same index' cmp "$work/first" "$repaired.t2t"
# what --strict refuses is not left alone for being there
run t2t build --strict "$repaired"
expect_status 3
expect_text err <<END
t2t: $repaired: json-escape: this is not a JSON escape; without --strict it can be repaired (at byte 38)
END
check 'the index is as it was' cmp "$work/first" "$repaired.t2t"
rm "$repaired.t2t"
run t2t dump "$repaired"
expect_status 0
expect_text err <<END
t2t: $repaired: building its index $repaired.t2t
t2t: $repaired: repaired: 2 strings with bad escapes, 1 string with a control character, 1 string that was no UTF-8, 2 numbers, 1 array without its end (first at byte 38)
END
run t2t dump "$repaired"
expect_status 0
expect_empty err

describe 'structural damage'
run t2t build "$lost"
expect_status 3
expect_text err <<END
t2t: $lost: json-syntax: a colon must come here; build --salvage keeps what is whole (at byte 157)
END
expect_no_file "$lost.t2t"
run t2t build --strict "$lost"
expect_status 3
expect_text err <<END
t2t: $lost: json-syntax: a colon must come here; build --salvage keeps what is whole (at byte 157)
END
run t2t dump "$lost"
expect_status 3
expect_empty out
expect_text err <<END
t2t: $lost: building its index $lost.t2t
t2t: $lost: json-syntax: no index, nor a trace that can be read: a colon must come here; build --salvage keeps what is whole (at byte 157)
END
expect_no_file "$lost.t2t"
run t2t build --salvage --strict "$lost"
expect_status 2
expect_line err "t2t: --strict and --salvage contradict each other; see 't2t help build'"
run t2t build --salvage "$lost"
expect_status 4
expect_empty out
expect_match err '^t2t: .*lost\.json\.t2t: 3 events, 2 in the tree, 0 on GPUs \(0 with a launch\); [0-9.]+ [mu]?s$'
said <<'END'
  repaired: 1 number (first at byte 232)
  lost: 2 parts, 80 bytes, 1 event (first at byte 157: json-syntax)
  suspect: no-gpu-events: the tree has no GPU event: tables of GPU time are
    empty
END
run t2t build --salvage --force -q "$lost"
expect_status 4
expect_empty err
run t2t check "$lost.t2t"
expect_status 0

describe 'an index that lacks something'
run t2t build "$lost"
expect_status 4
expect_text err <<END
t2t: $lost.t2t: is there and fits its trace (--force builds it again)
  lost: 2 parts, 80 bytes, 1 event (first at byte 157: json-syntax)
END
run t2t build -q "$lost"
expect_status 4
expect_empty err
run t2t build --strict -q "$lost"
expect_status 3
expect_file "$lost.t2t"
run t2t info "$lost"
expect_status 0
expect_text err <<END
t2t: $lost: made with --salvage, lost: 2 parts, 80 bytes, 1 event (first at byte 157: json-syntax)
END
sed -n '/^Suspect/,$p' "$work/out" >"$work/end"
mv "$work/end" "$work/out"
expect_text out <<'END'
Suspect
  no-gpu-events: the tree has no GPU event: tables of GPU time are empty

Lost
offset  bytes  elements  first_position  class        damage_offset
    86     75         1               1  json-syntax            157
   246      5         0               -  extra-data             246
END
run t2t tree "$lost.t2t"
expect_status 0
expect_match err '^t2t: .*lost\.json\.t2t: made with --salvage, lost: 2 parts'

describe 'the name of the array'
{
    printf '{"schemaVersion":1,\n"traceEvents: [\n'
    operation a
    printf '],"end":1}\n'
} >"$work/name.json"
run t2t build "$work/name.json"
expect_status 3
expect_text err <<END
t2t: $work/name.json: json-syntax: a colon must come here; build --salvage keeps what is whole (at byte 38)
END
run t2t build --salvage "$work/name.json"
expect_status 4
expect_match err '^t2t: .*name\.json\.t2t: 1 event, 1 in the tree'
expect_line err '  lost: 1 part, 17 bytes, 0 events (first at byte 38: json-syntax)'
run t2t export "$work/name.json.t2t" --to trace
expect_match out '^\{"schemaVersion":1,"traceEvents":\[$'
expect_match out '"end":1\}$'

describe 'many losses'
{
    printf '{"traceEvents":[\n'
    i=0
    while [ $i -lt 45 ]; do
        operation a ',"x" 1'
        printf ',\n'
        operation b
        printf ',\n'
        i=$((i + 1))
    done
    operation c
    printf ']}\n'
} >"$work/many.json"
run t2t build --salvage "$work/many.json"
expect_status 4
expect_match err '^  lost: 45 parts, [0-9,]+ bytes, 45 events \(first at byte [0-9]+: json-syntax\)$'
run t2t info "$work/many.json"
expect_line out 'and 5 more (--all)'
run t2t info --all "$work/many.json"
check 'all are there' test "$(grep -c ' json-syntax ' "$work/out")" = 45

describe 'gzip'
if command -v gzip >/dev/null; then
    gzip -nc "$work/odd.json" >"$work/crc.json.gz"
    bytes=$(wc -c <"$work/crc.json.gz")
    head -c $((bytes - 8)) "$work/crc.json.gz" >"$work/cut.json.gz"
    printf 'aaaa' | dd of="$work/crc.json.gz" bs=1 seek=$((bytes - 8)) \
        conv=notrunc 2>/dev/null
    run t2t build "$work/crc.json.gz"
    expect_status 3
    expect_match err 'crc\.json\.gz: gzip-crc: .*; build --salvage keeps what is whole \(at byte [0-9]+ of the compressed file\)$'
    run t2t build --salvage "$work/crc.json.gz"
    expect_status 4
    expect_match err '^t2t: .*crc\.json\.gz\.t2t: 2 events'
    expect_line err "  damaged: gzip-crc at byte $((bytes - 8)) of the compressed file"
    expect_line err '  lost: 1 part, 0 bytes, 0 events (first at byte 140: gzip-crc)'
    run t2t check "$work/crc.json.gz.t2t"
    expect_status 0
    run t2t build --salvage "$work/cut.json.gz"
    expect_status 4
    expect_match err '  lost: .*: gzip-truncated\)$'
else
    skip_one 'a wrong checksum' 'gzip is missing'
fi

describe 'what is suspect'
run t2t build "$work/odd.json"
expect_status 0
expect_match err '^t2t: .*odd\.json\.t2t: 2 events, 2 in the tree, 1 on GPUs \(0 with a launch\); odd: gpu-without-launch 1; [0-9.]+ [mu]?s$'
said <<'END'
  suspect: no-launches 1, first id 1: GPU events, but no launches are there: no
    operation and no module has GPU time
END
run t2t info "$work/odd.json"
expect_status 0
expect_line out '  no-launches 1, first id 1: GPU events, but no launches are there: no operation'
expect_line out '    and no module has GPU time'
run t2t info --format json "$work/odd.json"
expect_match out '"suspects":\[\{"kind":"no-launches","count":1,"first":1,"what":"GPU events, but no launches are there: no operation and no module has GPU time"\}\],"losses":\[\]'
need_shared
for row in 032:gpu-at-zero 035:over-7-days 036:gpu-overrun \
    072:shared-correlation; do
    case=$(echo "$shared/cases/${row%:*}"-*)
    run t2t build -o "$work/case.t2t" --force "$case/trace.json"
    expect_status 0
    check 'one suspicion' test "$(grep -c '^  suspect: ' "$work/err")" = 1
    expect_match err "^  suspect: ${row#*:} [12], first id [0-9]: "
done
describe 'real traces'
for trace in "$shared"/traces/*.json.gz; do
    case $trace in */rocprofv3*) continue ;; esac
    "$T2T" build -o "$work/real.t2t" --force "$trace" 2>&1 |
        sed -n 's/^  suspect: \([a-z-]*\).*/\1/p'
done | sort | uniq -c | sed 's/^ *//' >"$work/out"
expect_text out <<'END'
3 no-gpu-events
END
finish
