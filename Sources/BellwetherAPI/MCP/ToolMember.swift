internal import BellwetherJSON

/// One member of a tool's arguments or result. The schemas and the reading of arguments both come from the members.
struct ToolMember: Sendable {
    enum Kind: String, Sendable {
        case string, integer, number, boolean, object, array
    }

    let name: String
    let kind: Kind
    let description: String?
    let isRequired: Bool
    /// The only allowed values of a string; empty if all values are allowed.
    var choices: [String] = []

    static func required(_ name: String, _ kind: Kind, _ description: String? = nil) -> ToolMember {
        ToolMember(name: name, kind: kind, description: description, isRequired: true)
    }

    static func optional(_ name: String, _ kind: Kind, _ description: String? = nil) -> ToolMember {
        ToolMember(name: name, kind: kind, description: description, isRequired: false)
    }

    func among(_ choices: [String]) -> ToolMember {
        var member = self
        member.choices = choices
        return member
    }

    fileprivate var schema: JSONValue {
        var schema: JSONObject = ["type": .string(kind.rawValue)]
        if !choices.isEmpty { schema["enum"] = .array(choices.map(JSONValue.string)) }
        if let description { schema["description"] = .string(description) }
        return .object(schema)
    }

    /// Reports the faults of the value.
    fileprivate func check(_ reader: JSONReader) {
        let text: String?
        switch kind {
        case .string: text = reader.string()
        case .integer: (text, _) = (nil, reader.integer(in: 0...Int64(Int32.max)))
        case .number: (text, _) = (nil, reader.number())
        case .boolean: (text, _) = (nil, reader.bool())
        case .object: (text, _) = (nil, reader.object())
        case .array: (text, _) = (nil, reader.elements())
        }
        if let text, !choices.isEmpty, !choices.contains(text) {
            reader.finding("choice", "expected one of \(choices.joined(separator: ", "))")
        }
    }
}

extension [ToolMember] {
    /// The JSON Schema of the members. A tool's result may have more members; its arguments may not.
    func schema(isClosed: Bool) -> JSONValue {
        var schema: JSONObject = [
            "type": "object",
            "properties": .object(JSONObject(map { (key: $0.name, value: $0.schema) })),
        ]
        let required = filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        if isClosed { schema["additionalProperties"] = false }
        return .object(schema)
    }

    /// Reads the arguments. Throws if they have a fault.
    func read(_ value: JSONValue) throws(APIError) -> ToolArguments {
        let findings = Findings()
        let reader = JSONReader(value, findings: findings)
        if reader.object() != nil {
            reader.refuseUnknown(keys: Set(map { Identifier($0.name) }))
            for member in self {
                let value = member.isRequired ? reader.required(member.name) : reader.optional(member.name)
                if let value { member.check(value) }
            }
        }
        guard findings.faults.isEmpty else { throw .badRequest(findings.faults) }
        return ToolArguments(members: value.object ?? [:])
    }
}

/// The arguments of a call. Each has the kind of its member.
struct ToolArguments: Sendable {
    let members: JSONObject

    func value(_ name: String) -> JSONValue? { members[name]?.present }
    func string(_ name: String) -> String? { members[name]?.string }
    func identifier(_ name: String) -> Identifier? { members[name]?.identifier }
    func integer(_ name: String) -> Int? { members[name]?.integer.map { Int(clamping: $0) } }
    func bool(_ name: String) -> Bool { members[name]?.bool ?? false }
}

extension JSONValue {
    /// The value; nil for null.
    var present: JSONValue? { self == .null ? .none : .some(self) }
}
