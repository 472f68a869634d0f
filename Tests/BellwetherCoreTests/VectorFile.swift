import BellwetherJSON
import Foundation
import TestSupport

/// A whole file of `Vectors`; null if it cannot be read.
func vectorFile(_ name: String) -> JSONValue { (try? VectorFile.read(name, in: .module)) ?? .null }

extension JSONValue {
    subscript(key: String) -> JSONValue? { object?[key] }
}
