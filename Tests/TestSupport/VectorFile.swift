public import BellwetherJSON
public import Foundation

/// A file of test vectors in the resources of a test target.
public enum VectorFile {
    /// The document `Vectors/NAME.json` of a bundle.
    public static func read(_ name: String, in bundle: Bundle) throws -> JSONValue {
        try JSONValue(parsing: bytes(name, in: bundle))
    }

    public static func bytes(_ name: String, in bundle: Bundle) throws -> [UInt8] {
        Array(try Data(contentsOf: bundle.bundleURL.appending(path: "Vectors/\(name).json")))
    }
}
