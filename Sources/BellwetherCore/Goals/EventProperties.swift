public import BellwetherJSON

/// The properties of behaviour events (docs/reference/goals.md#properties).
extension Manifest {
    /// The properties that the manifest declares as numbers, and that are numbers.
    public func numbers(of event: Identifier, in properties: JSONObject) -> [Identifier: Double] {
        guard !properties.isEmpty, let declared = events[event] else { return [:] }
        var numbers: [Identifier: Double] = [:]
        for property in properties where declared[Identifier(property.key)] == .number {
            if let number = property.value.double { numbers[Identifier(property.key)] = number }
        }
        return numbers
    }

    /// The properties that are not declared, or have another type than the declared one, by name in their order.
    public func warnings(about properties: JSONObject, of event: Identifier) -> [(EventWarning.Code, name: String)] {
        let declared = events[event] ?? [:]
        return properties.compactMap { key, value in
            guard let type = declared[Identifier(key)] else { return (.unknownProperty, key) }
            return type.admits(value) ? nil : (.propertyType, key)
        }
    }
}
