/// A transform as the tree knows it; those of the language itself come before the environment's.
package enum Transform: BitwiseCopyable {
    case versionCompare
    case bucketSample
    case event(EventQuery.Kind)
    /// The environment is asked.
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
