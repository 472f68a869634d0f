/// The entry point of libFuzzer. Fuzz/run.sh compiles it into one module with Fuzz/Checks, and chooses the check.
#if FUZZ_JSON
    private typealias Check = JSONCheck
#elseif FUZZ_JEXL
    private typealias Check = JEXLCheck
#elseif FUZZ_HTTP
    private typealias Check = HTTPCheck
#elseif FUZZ_RECIPE
    private typealias Check = RecipeCheck
#elseif FUZZ_PING
    private typealias Check = PingCheck
#elseif FUZZ_FLOW
    private typealias Check = FlowCheck
#elseif FUZZ_SURVEY
    private typealias Check = AnswersCheck
#elseif FUZZ_PATTERN
    private typealias Check = PatternCheck
#elseif FUZZ_SETTINGS
    private typealias Check = SettingsCheck
#endif

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do throws(Violation) {
        _ = try Check.check(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        fatalError("\(error)")
    }
    return 0
}
