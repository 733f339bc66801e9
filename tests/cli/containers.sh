#!/bin/sh
# containers.sh - damaged gzip and zstd data, and text in them that is damaged,
# too: the first damage of the document is said, always the same.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "$top_srcdir/tests/cli/damage.sh"
need gzip
cd "$work" || exit 99
T2T=$(cd "$OLDPWD" && realpath "$T2T")

# An element that lacks a colon (byte BAD) in the first of two parts; the second
# is whole text.
{
    printf '{"traceEvents":[\n'
    i=0
    while [ $i -lt 100 ]; do
        operation "a$i" ',"args":{"n":'$i'}'
        printf ',\n'
        i=$((i + 1))
    done
} >sound
sed '3s/"n":/"n" /' sound >bad
{
    i=0
    while [ $i -lt 300 ]; do
        operation "b$i" ',"args":{"m":'$i'}'
        printf ',\n'
        i=$((i + 1))
    done
    printf '1]}\n'
} >rest
at=$(($(head -n 2 bad | wc -c) + $(sed -n 3p bad | sed 's/"n" .*/"n" /' | wc -c) - 1))

# says FILE CLASS OFFSET: what a build says of it, for every way to read it.
says() {
    for way in '-j1' '-j4 --chunk 1K' '-j2 --chunk 100'; do
        # shellcheck disable=SC2086 # it is two words
        run t2t build $way -f "$1" -o x.t2t
        expect_status 3
        case $2 in json*) of= ;; *) of=' of the compressed file' ;; esac
        expect_match err "^t2t: $1: $2: .* \(at byte $3$of\)$"
        # shellcheck disable=SC2086
        run t2t build $way -f - -o x.t2t <"$1"
        expect_status 3
        expect_match err "^t2t: [a-z ]*: $2: .* \(at byte $3$of\)$"
    done
}

# spoil FILE BYTE: writes another byte there.
spoil() {
    printf '\252' | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# containers NAME EXTENSION COMMAND...
containers() {
    kind=$1
    ext=$2
    shift 2
    for part in sound bad rest; do
        "$@" <$part >$part."$ext"
    done
    first=$(wc -c <bad."$ext")
    sound=$(wc -c <sound."$ext")

    describe "$kind"
    # cut in the second part
    cat bad."$ext" rest."$ext" | head -c $((first + 100)) >cut."$ext"
    says cut."$ext" json-syntax $at
    cat sound."$ext" rest."$ext" | head -c $((sound + 100)) >cut."$ext"
    says cut."$ext" "$kind-truncated" '[0-9]+'
    # cut in the only one
    cat bad rest | "$@" >one
    head -c 1500 one >cut."$ext"
    says cut."$ext" json-syntax $at
    # something else behind
    { cat one && printf 'garbage'; } >behind."$ext"
    says behind."$ext" json-syntax $at
    cat sound rest | "$@" >one
    { cat one && printf 'garbage'; } >behind."$ext"
    says behind."$ext" "$kind-data" "$(wc -c <one)"
    run t2t build --salvage -f behind."$ext" -o x.t2t
    expect_status 4
    expect_match err '^t2t: x\.t2t: 401 events'
    expect_line err "  damaged: $kind-data at byte $(wc -c <one) of the compressed file"
    run t2t check behind."$ext"
    expect_status 1
    check 'it is said once' test "$(grep -c ": $kind-data: " out)" = 1
    expect_match out "^behind\.$ext: byte $(wc -c <one) of the compressed file: $kind-data: "
}

containers gzip gz gzip -nc
# the second member is damaged: the first is whole
cat bad.gz rest.gz >two.gz
spoil two.gz $(($(wc -c <two.gz) - 8))
says two.gz json-syntax $at
cat sound.gz rest.gz >two.gz
spoil two.gz $(($(wc -c <two.gz) - 8))
says two.gz gzip-crc $(($(wc -c <two.gz) - 8))
# the only one is: its text may be nonsense
cp bad.gz one.gz
spoil one.gz $(($(wc -c <one.gz) - 8))
says one.gz gzip-crc $(($(wc -c <one.gz) - 8))

if command -v zstd >/dev/null; then
    containers zstd zst zstd -qc --check
    cat bad.zst rest.zst >two.zst
    spoil two.zst $(($(wc -c <two.zst) - 1))
    says two.zst json-syntax $at
    cat sound.zst rest.zst >two.zst
    spoil two.zst $(($(wc -c <two.zst) - 1))
    says two.zst zstd-data '[0-9]+'
    cp bad.zst one.zst
    spoil one.zst $(($(wc -c <one.zst) - 1))
    says one.zst zstd-data '[0-9]+'
else
    skip_one 'zstd' 'zstd is missing'
fi
finish
