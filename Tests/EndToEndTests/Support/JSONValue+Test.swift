import BellwetherJSON
import Foundation

/// Access for tests. A missing member or item is null, so that the following comparison fails with a message.
extension JSONValue {
    subscript(key: String) -> JSONValue { object?[key] ?? .null }

    subscript(index: Int) -> JSONValue {
        guard let array, array.indices.contains(index) else { return .null }
        return array[index]
    }

    /// The texts of one member of an array's objects.
    func strings(_ member: String) -> [String] { (array ?? []).map { $0[member].string ?? "?" } }

    static func file(_ path: String) throws -> JSONValue {
        try JSONValue(parsing: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
    }
}

extension JSONObject {
    /// The object with one more member.
    func merging(_ key: String, _ value: JSONValue) -> JSONObject {
        var copy = self
        copy[key] = value
        return copy
    }
}
