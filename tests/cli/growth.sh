#!/bin/sh
# growth.sh - an index of a later minor version; another major version.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "$top_srcdir/tests/cli/small.sh"
make_future=${top_builddir:-.}/tests/cli/make_future
index=$work/small.json.t2t
future=$work/future.t2t
[ -x "$make_future" ] || skip "make_future is not built"
"$make_future" "$index" "$future" || exit 99

for words in dump tree 'tree --format json' timeline 'show 0 1 2 3 4 5' \
    'show 6 7 8' 'export --to trace'; do
    name=${words%% *}
    # shellcheck disable=SC2086 # words
    run t2t $name "$index" ${words#"$name"}
    expect_status 0
    mv "$work/out" "$work/expected"
    # shellcheck disable=SC2086
    run t2t $name "$future" ${words#"$name"}
    expect_status 0
    expect_empty err
    check "an index of the future answers the same" cmp "$work/expected" "$work/out"
done

run t2t check "$future"
expect_status 0
expect_empty err

run t2t info "$future"
expect_status 0
expect_match out '1\.7'
expect_match out 'unknown +5 '

run t2t info --sections "$future"
expect_status 0
expect_match out '^ *1000 +unknown +3 +21 '

describe 'major version 2'
printf '\002' | dd of="$future" bs=1 seek=8 conv=notrunc 2>/dev/null
run t2t info "$future"
expect_status 3
expect_empty out
expect_line err "t2t: $future: index-version: format 2.7, this program reads 1 (at byte 8)"
finish
