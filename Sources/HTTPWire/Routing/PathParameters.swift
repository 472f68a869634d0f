/// The decoded values of a pattern's parameters, in the order of the path.
public struct PathParameters: Sendable {
    private var values: [(name: String, value: String)] = []

    public init() {}

    mutating func add(_ name: String, _ value: String) { values.append((name: name, value: value)) }

    public var isEmpty: Bool { values.isEmpty }

    /// The value of a parameter; nil for a name that the pattern does not have.
    public subscript(name: String) -> String? { values.first { $0.name == name }?.value }
}
