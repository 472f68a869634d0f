internal import BellwetherBase
package import BellwetherJSON
internal import JEXL

/// The member `events` of a manifest (docs/reference/events.md#declared-events).
extension EventDeclaration {
    private static let maximumEvents = 200
    private static let maximumProperties = 16
    private static let maximumDerived = 50
    private static let maximumDerivedOfOne = 10
    /// The events that clients' versions of the app send by themselves.
    private static let launches: Set<String> = ["app_launch", "app_foreground"]

    /// Reads all events. A fault refuses a manifest that is published now. Of a stored one the event is left out.
    package static func readAll(_ value: JSONValue, at pointer: JSONPointer, findings: Findings) -> [Identifier: Self] {
        let own = Findings()
        defer { findings.take(mistakes: own) }
        let reader = JSONReader(value, at: pointer, findings: own)
        let members = reader.members() ?? []
        checkNumbers(members, at: reader)
        let declared = members.reduce(into: [Identifier: JSONObject]()) {
            $0[Identifier($1.key)] = $1.value.value.object
        }
        var events: [Identifier: Self] = [:]
        for (name, member) in members.prefix(maximumEvents) {
            let before = own.faults.count
            guard member.object() != nil else { continue }
            checkName(name, at: member)
            member.refuseUnknown(keys: ["description", "properties", "of", "where", "sum"])
            _ = member.optional("description")?.string()
            let properties = member.optional("properties").map(readProperties) ?? [:]
            let derivation = EventDerivation(member, name, among: declared)
            if own.faults.count == before {
                events[Identifier(name)] = Self(properties: properties, derivation: derivation)
            }
        }
        return events
    }

    private static func checkNumbers(_ members: [(key: String, value: JSONReader)], at reader: JSONReader) {
        if members.count > maximumEvents { reader.finding("range", "an app declares at most \(maximumEvents) events") }
        let bases = members.compactMap { $0.value.value["of"].identifier }
        if bases.count > maximumDerived {
            reader.finding("range", "an app declares at most \(maximumDerived) derived events")
        } else if let most = Dictionary(grouping: bases, by: \.self).max(by: { $0.value.count < $1.value.count }),
            most.value.count > maximumDerivedOfOne
        {
            reader.finding(
                "range", "at most \(maximumDerivedOfOne) events are derived from one: more are of \"\(most.key)\"")
        }
    }

    private static func checkName(_ name: String, at member: JSONReader) {
        if !(1...128).contains(name.unicodeScalars.count) || !name.isIdentifier {
            member.finding("identifier", "the name of an event has 1 to 128 printable characters")
        }
        if launches.contains(name), member.value.object?["of"] != nil {
            member.finding("reserved", "\(name) is sent by clients: it is not derived")
        }
    }

    private static func readProperties(_ reader: JSONReader) -> [Identifier: PropertyType] {
        let members = reader.members() ?? []
        if members.count > maximumProperties {
            reader.finding("range", "an event has at most \(maximumProperties) properties")
        }
        var types: [Identifier: PropertyType] = [:]
        for (name, type) in members.prefix(maximumProperties) {
            if !(1...64).contains(name.unicodeScalars.count) {
                type.finding("identifier", "the name of a property has 1 to 64 characters")
            }
            types[Identifier(name)] = type.value.string.flatMap(PropertyType.init)
            if types[Identifier(name)] == nil { type.finding("choice", "a property is a string, number or boolean") }
        }
        return types
    }
}

extension EventDerivation {
    /// Reads how an event follows from another one; nil if it does not, or after a fault.
    fileprivate init?(_ member: JSONReader, _ name: String, among events: [Identifier: JSONObject]) {
        let (of, condition, sum) = (member.optional("of"), member.optional("where"), member.optional("sum"))
        let (base, source, property) = (of?.string(), condition?.string(), sum?.string())
        guard let of else {
            if condition != nil || sum != nil { _ = member.required("of") }
            return nil
        }
        if condition == nil, sum == nil { _ = member.required("where") }
        member.optional("properties")?.finding("exclusive", "a derived event has the properties of its base event")
        let types = base.flatMap { Self.types(of: Identifier($0), events, at: of) }
        if let types, let property, types[property]?.string != "number" {
            sum?.finding("reference", "\(of.quoted(base ?? "")) has no number \(of.quoted(property))")
        }
        var expression: CompiledExpression?
        if let condition, let source { expression = Self.expression(source, types, at: condition) }
        guard let base else { return nil }
        (self.base, self.condition, self.sum) = (Identifier(base), expression, property.map { Identifier($0) })
    }

    /// The declared properties of the base event; nil after a fault.
    private static func types(
        of base: Identifier, _ events: [Identifier: JSONObject], at reader: JSONReader
    ) -> JSONObject? {
        guard let declaration = events[base] else {
            reader.finding("reference", "the manifest declares no event \(reader.quoted(base.text))")
            return nil
        }
        guard declaration["of"] == nil else {
            reader.finding("reference", "\(reader.quoted(base.text)) is derived itself")
            return nil
        }
        return declaration["properties"]?.object ?? [:]
    }

    private static func expression(
        _ source: String, _ types: JSONObject?, at location: JSONReader
    ) -> CompiledExpression? {
        do throws(JEXLError) {
            let expression = try CompiledExpression(source)
            if let types, let name = expression.identifiers.first(where: { types[$0] == nil }) {
                location.finding("reference", "the event has no property \(location.quoted(name))")
            } else if let name = expression.transforms.first(where: { $0 != "versionCompare" }) {
                location.finding("reference", "a condition on properties has no transform \(location.quoted(name))")
            }
            return expression
        } catch {
            let offset = error.offset.map { " (at byte \($0))" } ?? ""
            location.finding("jexl_\(error.kind.rawValue)", "\(error.message)\(offset)")
            return nil
        }
    }
}
