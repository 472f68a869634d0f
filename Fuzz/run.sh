#!/bin/sh
# Fuzzes one target for some seconds: Fuzz/run.sh TARGET [SECONDS] [libFuzzer options]
# Targets: json jexl http recipe. What makes it fail is kept in .fuzz/TARGET/, and the exit status is then not 0.
set -eu

target=${1:?"usage: Fuzz/run.sh json|jexl|http|recipe [SECONDS]"}
seconds=${2:-60}
shift; [ $# -eq 0 ] || shift

# The modules that a target needs, each after those it imports, and its own file.
case $target in
    json) modules="BellwetherJSON"; file=JSONFuzz.swift ;;
    jexl) modules="BellwetherJSON JEXL"; file=JEXLFuzz.swift ;;
    http) modules="BellwetherJSON HTTPWire"; file=HTTPFuzz.swift ;;
    recipe) modules="BellwetherJSON JEXL BellwetherCore"; file=RecipeFuzz.swift ;;
    *) echo "unknown target $target" >&2; exit 64 ;;
esac

root=$(cd "$(dirname "$0")/.." && pwd)
work=$root/.fuzz/$target
mkdir -p "$work/build" "$work/corpus" "$work/found"
[ -f "$root/Fuzz/$file" ] || { echo "Fuzz/$file is not there" >&2; exit 66; }

# Modules are compiled one by one, as SwiftPM would, but with the coverage and the checks of the fuzzer.
checks="-sanitize=address,fuzzer -O -g -swift-version 6 -package-name bellwether
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
    -enable-upcoming-feature MemberImportVisibility"
objects=""
extra=""

# A target that needs a package (BellwetherCore hashes with swift-crypto) takes its modules from a SwiftPM build.
if [ "$target" = recipe ]; then
    swift build --package-path "$root" --target BellwetherCore >&2
    products=$(swift build --package-path "$root" --show-bin-path)
    extra="-I $products/Modules"
    for map in "$products"/*.build/module.modulemap; do
        [ -f "$map" ] && extra="$extra -Xcc -fmodule-map-file=$map"
    done
    for headers in "$root"/.build/checkouts/*/Sources/*/include; do
        [ -d "$headers" ] && extra="$extra -Xcc -I$headers"
    done
    for module in Crypto CryptoBoringWrapper CCryptoBoringSSL CCryptoBoringSSLShims CXKCP CXKCPShims; do
        objects="$objects $(find "$products/$module.build" -name '*.o' | tr '\n' ' ')"
    done
fi

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
swiftc $checks -I . $extra -parse-as-library -module-name "${target}Fuzz" "$root/Fuzz/$file" $objects -lm -lstdc++ \
    -o fuzz 2>link.log || { cat link.log >&2; exit 1; }

# The seeds are only read; what the fuzzer learns goes to the corpus beside them. Without a deadline of our own a run may
# hang after a crash, and the backtracer never ends.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=symbolize=0:detect_leaks=0
seeds=$root/Fuzz/Corpus/$target
mkdir -p "$seeds"
exec timeout -s KILL $((seconds + 30)) ./fuzz -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=4096 \
    -artifact_prefix="$work/found/" -print_final_stats=1 "$@" "$work/corpus" "$seeds"
