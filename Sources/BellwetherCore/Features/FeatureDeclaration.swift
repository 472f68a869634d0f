internal import BellwetherBase
public import BellwetherJSON

/// A feature of an app as its manifest declares it: its variables with their types and defaults
/// (docs/reference/features.md#declaring-features).
public struct FeatureDeclaration: Sendable {
    public let id: Identifier
    /// The variables, in the order of the manifest.
    public let variables: [Variable]
    /// Whether the first evaluation of the feature records an exposure (docs/reference/features.md#exposure).
    public let recordsExposure: Bool
    /// The defaults of the variables that have one.
    let defaults: JSONObject

    public struct Variable: Sendable {
        public let name: Identifier
        public let type: VariableType
        /// The default; nil if only the app's code has one.
        public let defaultValue: JSONValue?
    }

    public func variable(_ name: Identifier) -> Variable? { variables.first { $0.name == name } }

    /// Returns a branch's value without variables of the wrong type. A null stays, because it deletes the value of a
    /// lower layer. Undeclared variables stay unchanged.
    func reading(_ value: JSONObject) -> JSONObject {
        JSONObject(
            value.compactMap { key, value in
                guard let variable = variable(Identifier(key)), value != .null else { return (key: key, value: value) }
                return variable.type.reading(value).map { (key: key, value: $0) }
            })
    }

    /// Returns the merged value of the recipes over the feature's defaults. A variable that is then null or missing has
    /// its default.
    func completed(_ value: JSONObject) -> JSONObject {
        var result = JSONPatch.merge(value, over: defaults)
        for variable in variables where (result[variable.name] ?? .null) == .null {
            result[variable.name] = variable.defaultValue
        }
        return result
    }
}

/// The type of a feature's variable.
public enum VariableType: String, Sendable, Hashable, CaseIterable {
    case string, int, number, boolean
    /// Any value except null.
    case json

    /// The value as a value of this type; nil if it is none. A `number` is always a float, so that every reader parses
    /// it as one.
    func reading(_ value: JSONValue) -> JSONValue? {
        switch (self, value) {
        case (.string, .string), (.int, .integer), (.int, .unsigned), (.number, .number), (.boolean, .bool): value
        case (.number, .integer), (.number, .unsigned): value.double.map(JSONValue.number)
        case (.json, .null): .none
        case (.json, _): value
        default: .none
        }
    }

    public func admits(_ value: JSONValue) -> Bool { reading(value) != nil }
}

extension FeatureDeclaration {
    private static let keys: Set<Identifier> = ["variables", "exposure", "description"]
    private static let variableKeys: Set<Identifier> = ["type", "default", "description"]

    private enum Exposure: String, CaseIterable {
        case reported
        case onEvaluation = "on-evaluation"
    }

    /// Reads the `features` of a manifest, in their order.
    static func readAll(_ reader: JSONReader) -> [FeatureDeclaration] {
        (reader.members() ?? []).compactMap { id, feature in
            let id = Identifier(id)
            readName(id, feature, "feature")
            if id == Experiment.messagingFeature {
                feature.finding("reserved", "the feature messaging is declared by the manifest's member messaging")
            }
            return read(feature, id: id)
        }
    }

    private static func read(_ reader: JSONReader, id: Identifier) -> FeatureDeclaration? {
        reader.tolerant.refuseUnknown(keys: keys)
        let exposure = reader.optional("exposure").map { $0.choice(Exposure.self) } ?? .reported
        let members = reader.required("variables")?.members()
        let variables = (members ?? []).compactMap { readVariable($1, name: Identifier($0)) }
        guard members != nil, let exposure else { return nil }
        let defaults = variables.compactMap { variable in
            variable.defaultValue.map { (key: variable.name.text, value: $0) }
        }
        return FeatureDeclaration(
            id: id, variables: variables, recordsExposure: exposure == .onEvaluation, defaults: JSONObject(defaults))
    }

    private static func readVariable(_ reader: JSONReader, name: Identifier) -> Variable? {
        readName(name, reader, "variable")
        reader.tolerant.refuseUnknown(keys: variableKeys)
        guard let type = reader.required("type")?.choice(VariableType.self) else { return nil }
        guard let location = reader.optional("default") else {
            return Variable(name: name, type: type, defaultValue: nil)
        }
        guard let value = type.reading(location.value) else {
            location.finding("type", "\(name) is declared as \(type.rawValue), this is a \(location.value.typeName)")
            return nil
        }
        return Variable(name: name, type: type, defaultValue: value)
    }

    /// Names are parts of paths and of keys, in which a dot separates them.
    private static func readName(_ name: Identifier, _ location: JSONReader, _ what: String) {
        let isName =
            (1...100).contains(name.text.utf8.count)
            && name.text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || [0x2D, 0x5F].contains($0) }
        guard !isName else { return }
        location.finding("flag_name", "a \(what)'s name has 1 to 100 letters, digits, hyphens and underscores")
    }
}
