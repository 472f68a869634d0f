/// What is tried on any bytes, and what must hold of them. One function for libFuzzer (Fuzz/Entry.swift) and for the
/// short runs of `swift test`, so that the two cannot drift (docs/decisions/0017-fuzz-checks-are-shared.md).
public protocol FuzzCheck {
    /// Whether the bytes were taken. Throws when a promise was broken; a trap is a finding as well, for so would the
    /// daemon.
    static func check(_ bytes: [UInt8]) throws(Violation) -> FuzzOutcome
}

/// What became of some bytes. A run in which nothing is taken, or nothing refused, tries nothing.
public enum FuzzOutcome: Sendable, Hashable { case taken, refused }

/// A promise that does not hold, as a sentence.
public struct Violation: Error, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

func require(_ condition: Bool, _ broken: @autoclosure () -> String) throws(Violation) {
    guard condition else { throw Violation(broken()) }
}
