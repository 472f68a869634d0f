#!/bin/sh
# Fuzzes one target for some seconds: Fuzz/run.sh TARGET [SECONDS] [libFuzzer options, such as -runs=10000000]
# Targets: json jexl http recipe flow survey pattern ping settings. What makes it fail is kept in .fuzz/TARGET/found, and the exit status is not 0.
set -eu

target=${1:?"usage: Fuzz/run.sh json|jexl|http|recipe|flow|survey|pattern|ping|settings [SECONDS]"}
seconds=${2:-60}
shift; [ $# -eq 0 ] || shift

# The modules that a target needs, each after those it imports, and its own files beside Fuzz/Entry.swift.
core="BellwetherJSON BellwetherBase JEXL BellwetherCore"
case $target in
    json) modules="BellwetherJSON"; files="JSONCheck FoundationJSON" ;;
    jexl) modules="$core Surveys BellwetherAuthoring"; files="JEXLCheck" ;;
    http) modules="BellwetherJSON HTTPWire"; files="HTTPCheck" ;;
    recipe) modules=$core; files="RecipeCheck CompiledAppCheck" ;;
    flow) modules="BellwetherJSON BellwetherBase Surveys"; files="FlowCheck" ;;
    survey) modules="BellwetherJSON BellwetherBase Surveys"; files="AnswersCheck" ;;
    pattern) modules="BellwetherJSON BellwetherBase Surveys"; files="PatternCheck" ;;
    ping) modules="$core Gzip"; files="PingCheck" ;;
    settings) modules="BellwetherSettings"; files="SettingsCheck" ;;
    *) echo "unknown target $target" >&2; exit 64 ;;
esac

root=$(cd "$(dirname "$0")/.." && pwd)
work=$root/.fuzz/$target
mkdir -p "$work/build" "$work/corpus" "$work/found"
sources="$root/Fuzz/Entry.swift $root/Fuzz/Checks/FuzzCheck.swift"
for file in $files; do sources="$sources $root/Fuzz/Checks/$file.swift"; done

# Modules are compiled one by one, as SwiftPM would, but with the coverage and the checks of the fuzzer.
checks="-sanitize=address,fuzzer -O -g -swift-version 6 -package-name bellwether
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
    -enable-upcoming-feature MemberImportVisibility"
objects=""
extra="-I $root/Sources/CCrypto -I $root/Sources/CYAML -I $root/Sources/CZlib"

cd "$work/build"
rm -f fuzz
for module in $modules; do
    # shellcheck disable=SC2046,SC2086
    swiftc $checks -I . $extra -parse-as-library -whole-module-optimization -module-name "$module" \
        -emit-module -emit-module-path "$module.swiftmodule" -emit-object -o "$module.o" \
        $(find "$root/Sources/$module" -name '*.swift')
    objects="$module.o $objects"
done
# shellcheck disable=SC2086
swiftc $checks -D "FUZZ_$(echo "$target" | tr a-z A-Z)" -I . $extra -parse-as-library -whole-module-optimization \
    -module-name FuzzTarget $sources $objects -lm -lstdc++ -o fuzz 2>link.log || { cat link.log >&2; exit 1; }

# The seeds are only read; what the fuzzer learns goes to the corpus beside them. Without a deadline of our own a run may
# hang after a crash, and the backtracer never ends.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=symbolize=0:detect_leaks=0
exec timeout -s KILL $((seconds + 60)) ./fuzz -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=4096 \
    -dict="$root/Fuzz/Words/$target.dict" -artifact_prefix="$work/found/" -print_final_stats=1 "$@" \
    "$work/corpus" "$root/Fuzz/Corpus/$target"
