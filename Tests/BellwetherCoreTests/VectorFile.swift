import BellwetherJSON
import Foundation
import TestSupport

/// A whole file of `vectors`; null if it cannot be read.
func vectorFile(_ name: String) -> JSONValue { (try? VectorFile.read(name)) ?? .null }

extension JSONValue {
    subscript(key: String) -> JSONValue? { object?[key] }
}
