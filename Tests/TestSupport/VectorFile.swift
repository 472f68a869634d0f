public import BellwetherJSON
public import Foundation

/// A file of test vectors: one that is published in `vectors` (docs/vectors.md), or one in the resources of a test
/// target.
public enum VectorFile {
    /// The folder of the published vectors.
    public static let published = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "vectors")

    /// The document `vectors/NAME.json` of the repository.
    public static func read(_ name: String) throws -> JSONValue {
        try JSONValue(parsing: Array(try Data(contentsOf: published.appending(path: "\(name).json"))))
    }

    /// The document `Vectors/NAME.json` of a bundle.
    public static func read(_ name: String, in bundle: Bundle) throws -> JSONValue {
        try JSONValue(parsing: bytes(name, in: bundle))
    }

    public static func bytes(_ name: String, in bundle: Bundle) throws -> [UInt8] {
        Array(try Data(contentsOf: bundle.bundleURL.appending(path: "Vectors/\(name).json")))
    }
}
