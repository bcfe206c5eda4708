#!/bin/sh
# Runs every benchmark of record and keeps what it printed beside this script, machine and command first.
#   benchmarks/results/record.sh            all
#   benchmarks/results/record.sh retry      one
set -eu

here=$(CDPATH='' cd -- "$(dirname "$0")" && pwd -P)
only=${1:-}

machine() {
    sed -n 's/^model name[^:]*: */cpu: /p' /proc/cpuinfo 2>/dev/null | head -n 1
    echo "processors: $(getconf _NPROCESSORS_ONLN)"
    uname -srm
}

# record <file> <command> [arguments]
record() {
    file=$1
    shift
    case $only in '' | "$file") ;; *) return 0 ;; esac
    {
        machine
        echo "command: ./holdfast $*"
        echo
        "$here/../../holdfast" "$@"
    } >"$here/$file.new" 2>&1 || {
        tail -n 5 "$here/$file.new" >&2
        exit 1
    }
    mv "$here/$file.new" "$here/$file.txt"
}

record retry jmh RetryBenchmark -prof gc
record classify jmh ClassifyBenchmark -prof gc
rows="-w 300ms -r 300ms -prof gc" # of nanoseconds: there are many, and half a second each tells no more
record breaker-1 jmh 'BreakerBenchmark|BreakerPermitBenchmark' -t 1 $rows
record breaker-2 jmh 'BreakerBenchmark|BreakerPermitBenchmark' -t 2 $rows
record limits-1 jmh 'LimiterBenchmark|BulkheadBenchmark' -t 1 $rows
record limits-2 jmh 'LimiterBenchmark|BulkheadBenchmark' -t 2 $rows
record stack jmh StackBenchmark -t 1 $rows
record stack-2 jmh StackBenchmark -t 2 $rows
record sse jmh SseBenchmark -prof gc
record call jmh CallBenchmark -f 2 -wi 10 -i 10 -prof gc
record cache-jmh jmh 'KeyBenchmark|CacheBenchmark' -prof gc
record routing-jmh jmh RouteBenchmark -prof gc
record compare compare --calls
record gateway compare --gateway
