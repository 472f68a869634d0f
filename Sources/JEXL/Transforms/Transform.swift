/// A transform in the tree. The language's own transforms take precedence over the environment's.
package enum Transform: BitwiseCopyable {
    case versionCompare
    case bucketSample
    case event(EventQuery.Kind)
    /// A transform of the environment.
    case other

    init(_ name: String) {
        self =
            switch name {
            case "versionCompare": .versionCompare
            case "bucketSample": .bucketSample
            default: EventQuery.Kind(rawValue: name).map { .event($0) } ?? .other
            }
    }
}

extension CompiledExpression {
    /// The transforms of the language itself (docs/reference/expressions.md#transforms).
    public static let ownTransforms: Set<String> = Set(
        EventQuery.Kind.allCases.map(\.rawValue) + ["versionCompare", "bucketSample"])
}
