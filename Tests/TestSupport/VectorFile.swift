public import BellwetherJSON
public import Foundation

/// A file of test vectors in the resources of a test target.
public enum VectorFile {
    /// The document `Vectors/NAME.json` of a bundle.
    public static func read(_ name: String, in bundle: Bundle) throws -> JSONValue {
        let url = bundle.bundleURL.appending(path: "Vectors/\(name).json")
        return try JSONValue(parsing: Array(Data(contentsOf: url)))
    }
}
