#!/bin/sh
# bench.sh - the programs of bench/ run to their ends, and judge as they say.
# Their traces are too small here for the figures to mean anything.
. "${top_srcdir:-.}/tests/cli/lib.sh"
need "$PYTHON"
[ -r /proc/self/status ] || skip "memory is measured where there is /proc"
top_srcdir=$(cd "$top_srcdir" && pwd)
bench=$top_srcdir/bench
folder=$work/inputs
# Without real traces, which would be large: synthetic ones.
T2T_SHARED=$work/none
export T2T_SHARED

# bench PROGRAM [ARGUMENT]...
bench() {
    program=$1
    shift
    describe "bench/$program" "$(printf '%s ' "$@" | sed "s,$T2T,t2t,g")"
    "$PYTHON" -B "$bench/$program" "$@" >"$work/out" 2>"$work/err"
    status=$?
}

# It can be measured: no status beyond that of a target that is missed.
expect_measured() {
    [ "$status" -le 1 ]
    report $? "exits 0 or 1"
}

# --- synthetic ---
for kind in inference training; do
    bench synthetic --kind $kind --size 100k -o "$work/$kind.json"
    expect_status 0
    run t2t build --strict "$work/$kind.json"
    expect_status 0
    expect_match err '[1-9][0-9,]* on GPUs \(([0-9,]+) with a launch\)'
    run t2t info --format json "$work/$kind.json"
    check "all that is on GPUs has its launch, and nothing is odd" "$PYTHON" -B - "$work/out" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
assert d['gpu_events'] > 0 and d['gpu_events'] == d['linked_gpu_events'], d
assert not d['anomalies'], d['anomalies']
END
done
run t2t links --format csv "$work/training.json"
expect_match out '^[0-9]+,[0-9]+'
bench synthetic --kind training --size 100k
check "the same arguments give the same bytes" cmp "$work/out" "$work/training.json"

# --- build ---
bench build --t2t "$T2T" --work "$folder" --rounds 1 --size 100k --large 400k \
    --stream 1M --json "$work/build.json" --svg "$work/build.svg" \
    --markdown "$work/build.md" speed large stream
expect_measured
check "what is printed is also in the file" cmp "$work/out" "$work/build.md"
expect_no_match out 'ANOTHER INDEX'
check "all is measured but what is missing" "$PYTHON" -B - "$work/build.json" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
assert list(d['traces']) == ['inference', 'training']
needs = {'simdjson': 'simdjson', 'igzip': 'igzip', 'zstd': 'zstd'}
for t in d['targets']:
    missing = d['traces'][t['trace']]['missing']
    absent = any(w in t['against'] for w in missing) or 'pipe' in t['against'] and t['trace'] != 'inference'
    absent = absent or '.zst' in t['against'] and '-j2 .zst' in missing
    assert absent or t['figure'] is not None, t
    assert t['figure'] is None or t['figure'] >= 0 and t['met'] in (True, False), t
for name, t in d['traces'].items():
    for job in ('cat', 't2t -j1', 't2t -j2', 't2t -j2 .gz', 't2t -j2 --memory 256M', 't2t -j2 --no-layouts', 't2t -j2 @large'):
        assert [r['s'] > 0 for r in t['rounds'][job]] == [True], (name, job)
    build = t['rounds']['t2t -j2'][0]
    assert abs(build['s'] + build['sync_s'] - build['wall_s']) < 1e-6, build
    assert build['read_s'] + build['merge_s'] <= build['s'] + 0.002, build
    assert t['facts']['builds']['t2t -j2']['index_bytes'] > 1000
assert d['traces']['inference']['facts']['builds']['t2t -j2 --memory 256M @stream']['json_bytes'] >= 1 << 20
END
check "the picture is XML with a curve for each trace in each panel" \
    "$PYTHON" -B - "$work/build.svg" <<'END'
import sys
import xml.dom.minidom
d = xml.dom.minidom.parse(sys.argv[1])
assert len(d.getElementsByTagName('polyline')) == 4 + 4 + 2
END
expect_match out '^- training, 0[.]00 GB, .* times .cat., .* MB of memory'
for yardstick in simdjson rapidjson igzip zstd json.load; do
    if grep -q "^Not measured: $yardstick:" "$work/out"; then
        skip_one "bench/build beside $yardstick" \
            "$(sed -n "s/^Not measured: $yardstick: //p" "$work/out" | head -n 1)"
    else
        expect_match out "^\\| $yardstick (of 1/4 )?\\| [0-9.]+ "
    fi
done
bench build --t2t "$work/none" --work "$folder"
expect_status 2
expect_match err '^build: .*none is no command$'
bench build --t2t "$T2T" --work "$folder" --input "mine=$work/none.json"
expect_status 2
expect_match err '^build: .*none.json is not there$'

describe 'the targets of bench/build'
check "are met up to their limit, and missed beyond it" "$PYTHON" -B - "$bench" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import builds
f = builds.Figures('x', {'events': 1000000, 'builds': {'t2t -j2': {'index_bytes': 20, 'json_bytes': 100, 'digest': 'a'},
                                                       't2t -j1': {'index_bytes': 20, 'json_bytes': 100, 'digest': 'b'}}}, {})
times = lambda *each, anon=0: [{'s': s, 'anon_bytes': anon} for s in each]
f.add({'cat': times(1, 2, 1), 't2t -j2': times(5.5, 11, 9, anon=int(174e6)), 'simdjson': times(19.25, 38.5, 1), 't2t -j1': times(9.7, 19.4, 9),
       't2t -j2 --memory 256M': times(1, 1, 1, anon=int(300.1e6))})
said = [t.text(f, 't2t') for t in builds.TARGETS]
assert said == ['5.50 met', '3.50 met', '1.98 **missed**', 'not measured', 'not measured', '1.76 met', '20.0 % met', '64 MB + 110 met',
                '300 MB **missed**'], said
assert f.odd_ones() == ['t2t -j1'], f.odd_ones()
END

# --- compare ---
bench compare --work "$folder" --rounds 2 --size 100k --trace training \
    --only=-j1 --no-yardsticks --allow 100000 --json "$work/compare.json" "$T2T" "$T2T"
expect_status 0
expect_match out '^\| training \| -j1 \| [0-9.]+ \| [0-9.]+ \| [0-9.]+ \| .* same bytes \|$'
bench compare --work "$folder" --rounds 1 --size 100k --trace training \
    --only=-j1 --allow -1000 "$T2T" "$T2T"
expect_status 1
expect_match out '^\| against \| target \| training, old \| training, new \|$'

# --- traps ---
bench traps --t2t "$T2T" --rounds 1 --part 0.0001 --only build --limit 600 \
    --work "$work/traps"
expect_measured
for trap in starts deep correlation lanes names crossing reverse shuffled huge \
    damages; do
    expect_match out "^\\| $trap \\| build \\|"
done
bench traps --t2t "$T2T" --rounds 1 --part 0.0001 --limit 600 --all \
    --json "$work/traps.json" damages
expect_measured
check "every command is asked" "$PYTHON" -B - "$work/traps.json" "$T2T" <<'END'
import json, re, subprocess, sys
rows = json.load(open(sys.argv[1]))
said = subprocess.run([sys.argv[2], 'help'], stdout=subprocess.PIPE, check=True).stdout.decode()
known = set(re.findall(r'^  ([a-z]+) ', said, re.M)) - {'t2t', 'version', 'help'}
asked = {r['what'].split()[0] for r in rows}
assert asked == known, asked ^ known
assert all(len(r['cpu_s']) == len(r['anon_bytes']) == 3 for r in rows)
END
describe 'bench/traps'
check "tells what grows too fast" "$PYTHON" -B - "$bench/traps" <<'END'
import importlib.machinery, importlib.util, sys
sys.argv[0] = sys.argv[1]
loader = importlib.machinery.SourceFileLoader('traps', sys.argv[1])
traps = importlib.util.module_from_spec(importlib.util.spec_from_loader('traps', loader))
loader.exec_module(traps)
row = lambda time, last, memory, bytes_, ok=True: traps.faults({
    'time_growth': time, 'cpu_s': [1, 1, last], 'memory_growth': memory, 'anon_bytes': [1, 1, bytes_], 'in_time': ok})
assert row(6, 9, 6, 1e9) == [] and row(9, 0.01, 9, 1e6) == []
assert row(6.1, 9, 1, 0) == ['time'] and row(1, 1, 6.1, 1e9) == ['memory'] and row(1, 1, 1, 0, False) == ['longer than the limit']
END

cat >"$work/endless" <<'END'
#!/bin/sh
while [ "$1" = build ]; do :; done
END
chmod +x "$work/endless"
bench traps --t2t "$work/endless" --rounds 2 --part 0.0001 --only build --limit 1 deep
expect_status 1
expect_match out '^\| deep \| build \| .* \*\*longer than the limit'

# --- tables and cold ---
bench tables --t2t "$T2T" --rounds 1 --json "$work/tables.json" \
    "$work/training.json.t2t"
expect_measured
expect_match out '^timeline --by step +[0-9.]+ +[0-9.]+ '
bench cold --t2t "$T2T" --rounds 1 --trace "$work/training.json" --work "$work" \
    "$work/training.json.t2t"
if [ "$status" = 2 ]; then
    skip_one "bench/cold" "the page cache of this file system cannot be dropped"
else
    expect_measured
    expect_match out '^show +t2t +[0-9.]+ s +[0-9.]+ MB read$'
    expect_match out '^build +t2t +[0-9.]+ s +[0-9.]+ MB read$'
fi
finish
