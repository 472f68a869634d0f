import BellwetherJSON

/// Access for tests. A missing member or item is null, so that the following comparison fails with a message.
extension JSONValue {
    subscript(key: String) -> JSONValue { object?[key] ?? .null }

    subscript(index: Int) -> JSONValue {
        guard let array, array.indices.contains(index) else { return .null }
        return array[index]
    }
}
