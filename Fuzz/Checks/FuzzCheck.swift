/// A check that any bytes can be given to. libFuzzer (Fuzz/Entry.swift) and the short runs of `swift test` call the
/// same function, so the two cannot diverge (docs/decisions/archive/0017-fuzz-checks-are-shared.md).
public protocol FuzzCheck {
    /// Whether the bytes were accepted. Throws if a property was violated. A trap is a finding as well, because the
    /// daemon would trap too.
    static func check(_ bytes: [UInt8]) throws(Violation) -> FuzzOutcome
}

/// The result for some bytes. A run in which all inputs have the same outcome tests nothing.
public enum FuzzOutcome: Sendable, Hashable { case taken, refused }

/// A violated property, as one sentence.
public struct Violation: Error, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

func require(_ condition: Bool, _ broken: @autoclosure () -> String) throws(Violation) {
    guard condition else { throw Violation(broken()) }
}
