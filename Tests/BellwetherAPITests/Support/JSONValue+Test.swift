import BellwetherJSON

/// What tests reach into: a missing member or item is null, so that the comparison that follows tells it.
extension JSONValue {
    subscript(key: String) -> JSONValue { object?[key] ?? .null }

    subscript(index: Int) -> JSONValue {
        guard let array, array.indices.contains(index) else { return .null }
        return array[index]
    }
}
