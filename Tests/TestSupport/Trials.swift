import Foundation

/// How often random tests try: seldom in each check, and often with `TEST_TRIALS=many`, as `.ci/long` runs them
/// (CONTRIBUTING.md#where-each-suite-runs-and-how-long). The seeds are fixed, so each run tries the same.
public enum Trials {
    private static let areMany = ProcessInfo.processInfo.environment["TEST_TRIALS"] == "many"

    public static func count<Number: BinaryInteger>(_ few: Number, many: Number) -> Number { areMany ? many : few }
}
