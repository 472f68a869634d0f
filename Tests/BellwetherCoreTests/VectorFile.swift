import BellwetherJSON
import Foundation

/// A file of `Vectors`, whole.
func vectorFile(_ name: String) -> JSONValue {
    guard let url = Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Vectors"),
        let data = try? Data(contentsOf: url), let value = try? JSONValue(parsing: [UInt8](data))
    else { preconditionFailure("Vectors/\(name).json cannot be read") }
    return value
}

extension JSONValue {
    subscript(key: String) -> JSONValue? { object?[key] }
}
