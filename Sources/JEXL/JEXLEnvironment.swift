public import BellwetherJSON

/// The values that an evaluation reads from outside: attributes, event counts, a hash, further transforms.
public protocol JEXLEnvironment {
    /// An attribute; nil is undefined, which is an error where null is none.
    func value(of identifier: String) -> JSONValue?

    /// A number that is not finite becomes null.
    func result(of query: EventQuery) -> Double

    /// The first 48 bits, most significant first, of the SHA-256 of a JSON text
    /// (docs/reference/experiments.md#bucketing).
    func hash48(ofJSON text: [UInt8]) -> UInt64

    /// Whether the language's own transforms exist here. Cirrus registers none of them
    /// (docs/reference/expressions.md#transforms): reaching one is an unknown transform then.
    var registersTransforms: Bool { get }

    /// A transform that the language does not have itself; nil is an unknown one.
    func transform(
        _ name: String, subject: JSONValue, arguments: [JSONValue]
    ) throws(TransformFailure) -> JSONValue?
}

extension JEXLEnvironment {
    public var registersTransforms: Bool { true }

    public func transform(
        _ name: String, subject: JSONValue, arguments: [JSONValue]
    ) throws(TransformFailure) -> JSONValue? {
        nil
    }
}

/// Why a transform refused its subject or arguments; becomes error `transform`.
public struct TransformFailure: Error, Sendable, Hashable {
    public let message: String

    public init(message: String) { self.message = message }
}
