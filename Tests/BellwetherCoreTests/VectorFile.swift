import BellwetherJSON
import Foundation
import TestSupport

/// A file of `Vectors`, whole; null when it cannot be read.
func vectorFile(_ name: String) -> JSONValue { (try? VectorFile.read(name, in: .module)) ?? .null }

extension JSONValue {
    subscript(key: String) -> JSONValue? { object?[key] }
}
