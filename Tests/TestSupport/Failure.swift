/// The failure of a test tool, as one sentence.
public struct Failure: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
