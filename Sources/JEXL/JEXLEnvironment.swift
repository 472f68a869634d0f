public import BellwetherJSON

/// The values that an evaluation reads from outside: attributes, event counts, a hash, further transforms.
public protocol JEXLEnvironment {
    /// The value of an attribute; nil is undefined. An undefined attribute is an error, while null is not.
    func value(of identifier: String) -> JSONValue?

    /// The result of an event query. A number that is not finite becomes null. `eventAgo` and `eventAfter` are true
    /// for any number but 0.
    func result(of query: EventQuery) -> Double

    /// The first 48 bits, most significant first, of the SHA-256 of a JSON text
    /// (docs/reference/experiments.md#bucketing).
    func hash48(ofJSON text: [UInt8]) -> UInt64

    /// Whether the language's own transforms exist here. Cirrus registers none of them
    /// (docs/reference/expressions.md#transforms); each is then an unknown transform.
    var registersTransforms: Bool { get }

    /// The result of a transform that the language itself does not have; nil for an unknown transform.
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

/// The reason why a transform refused its subject or arguments. It becomes the error `transform`.
public struct TransformFailure: Error, Sendable, Hashable {
    public let message: String

    public init(message: String) { self.message = message }
}
