public import BellwetherJSON
internal import JEXL

/// A behaviour event that the manifest declares (docs/reference/events.md#declared-events).
public struct EventDeclaration: Sendable {
    public enum PropertyType: String, Sendable, Hashable, CaseIterable {
        case string, number, boolean
    }

    /// The maximum bytes of a text.
    private static let maximumText = 256

    /// The types of its properties. A derived event has none of its own.
    public let properties: [Identifier: PropertyType]
    /// How the event follows from another one; nil for an event that clients send.
    public let derivation: EventDerivation?

    /// The properties that are declared and have their types. Numbers are floats.
    package func read(_ properties: JSONObject) -> [Identifier: JSONValue] {
        guard !properties.isEmpty, !self.properties.isEmpty else { return [:] }
        var read: [Identifier: JSONValue] = [:]
        for (name, value) in properties {
            if let type = self.properties[Identifier(name)], case .success(let own) = Self.value(value, of: type) {
                read[Identifier(name)] = own
            }
        }
        return read
    }

    /// The reason why a property is not read; nil if it is.
    func warning(about name: String, _ value: JSONValue) -> EventWarning.Code? {
        guard let type = properties[Identifier(name)] else { return .unknownProperty }
        guard case .failure(let refusal) = Self.value(value, of: type) else { return nil }
        return refusal.code
    }

    private struct Refusal: Error { let code: EventWarning.Code }

    private static func value(_ value: JSONValue, of type: PropertyType) -> Result<JSONValue, Refusal> {
        switch (type, value) {
        case (.number, .integer), (.number, .unsigned), (.number, .number): .success(.number(value.double ?? 0))
        case (.boolean, .bool): .success(value)
        case (.string, .string(let text)):
            text.utf8.count <= maximumText ? .success(value) : .failure(Refusal(code: .propertyLength))
        default: .failure(Refusal(code: .propertyType))
        }
    }
}

/// A derived event counts whenever its base event counts and its condition is true
/// (docs/reference/events.md#derived-events).
public struct EventDerivation: Sendable {
    public let base: Identifier
    /// A condition on the properties of the base event; nil: always.
    let condition: CompiledExpression?
    /// The number whose values are added; nil: the events are counted.
    public let sum: Identifier?

    /// The condition as it is written.
    public var conditionSource: String? { condition?.source }
}

extension Manifest {
    /// The properties of an event that count.
    public func properties(of event: Identifier, in properties: JSONObject) -> [Identifier: JSONValue] {
        events[event]?.read(properties) ?? [:]
    }

    /// The properties that do not count, in their order.
    public func warnings(about properties: JSONObject, of event: Identifier) -> [(EventWarning.Code, name: String)] {
        let declaration = events[event]
        return properties.compactMap { name, value in
            guard let declaration else { return (.unknownProperty, name) }
            return declaration.warning(about: name, value).map { ($0, name) }
        }
    }

    /// The properties of an event in conditions and goals; those of a derived event are its base event's.
    package func propertyTypes(of event: Identifier) -> [Identifier: EventDeclaration.PropertyType] {
        events[events[event]?.derivation?.base ?? event]?.properties ?? [:]
    }
}
