public import BellwetherJSON
internal import JEXL

/// Reads a `messaging` value: a manifest's defaults or a recipe's patch.
///
/// What the SDK tolerates is a warning, for the value is served as the SDK would read it (nimbus-messaging.md A,
/// "Wrong types never fail the recipe"). An expression that does not parse is a fault.
public struct MessagingReading {
    /// Feature variables that the SDK has and the daemon needs nothing of.
    static let inertKeys: Set<String> = [
        "~~experiment", "$$experiment", "message-under-experiment", "notification-config", "$$surfaces",
    ]
    public static let variables: Set<String> = ["messages", "triggers", "styles", "actions", "on-control"]

    let vocabulary: MessagingVocabulary
    /// The layers below, whose triggers, styles and actions the value may use.
    let base: JSONObject

    public init(vocabulary: MessagingVocabulary, extending base: JSONObject) {
        self.vocabulary = vocabulary
        self.base = base
    }

    /// The value with its aliases normalised; nil when it is not an object.
    public func read(_ reader: JSONReader) -> JSONObject? {
        guard let object = reader.object() else { return nil }
        let value = normalised(object, at: reader.pointer, findings: reader.findings)
        let normal = JSONReader(.object(value), at: reader.pointer, findings: reader.findings).tolerant
        normal.refuseUnknown(keys: Self.variables.union(Self.inertKeys))
        readTriggers(normal.optional("triggers"))
        readStyles(normal.optional("styles"))
        for (_, action) in normal.optional("actions")?.members() ?? [] { _ = action.presentString() }
        _ = normal.optional("on-control")?.choice(OnControl.self)
        let check = MessageCheck(vocabulary: vocabulary, merged: JSONPatch.merge(value, over: base))
        for (key, message) in normal.optional("messages")?.members() ?? [] where message.value != .null {
            check.check(message, key: key)
        }
        return value
    }

    private func normalised(_ value: JSONObject, at pointer: JSONPointer, findings: Findings) -> JSONObject {
        guard let messages = value["messages"]?.object else { return value }
        let aliases = MessagingAliases(dialect: vocabulary.dialect)
        let place = pointer.appending("messages")
        var result = value
        result["messages"] = .object(
            JSONObject(
                messages.map { key, message in
                    guard let fields = message.object else { return (key: key, value: message) }
                    let pointer = place.appending(key)
                    let normal = aliases.normalise(message: fields, at: pointer, findings: findings)
                    return (key: key, value: .object(normal))
                }))
        return result
    }

    private func readTriggers(_ reader: JSONReader?) {
        for (_, trigger) in reader?.members() ?? [] {
            guard let source = trigger.presentString() else { continue }
            readExpression(source, at: trigger)
        }
    }

    private func readExpression(_ source: String, at place: JSONReader) {
        do {
            let expression = try CompiledExpression(source)
            let undeclared = expression.identifiers.filter { !vocabulary.attributes.contains($0) }
            for name in undeclared {
                place.finding("undeclared_identifier", "\"\(name)\" is no attribute that the manifest declares")
            }
            for name in expression.transforms where !Self.transforms.contains(name) {
                place.finding("unknown_transform", "there is no transform \"\(name)\"")
            }
            readConstant(expression.constant, at: place)
        } catch {
            let offset = error.offset.map { " (at byte \($0))" } ?? ""
            place.findings.fault("jexl_\(error.kind.rawValue)", at: place.pointer, "\(error.message)\(offset)")
        }
    }

    private func readConstant(_ constant: Result<JSONValue, JEXLError>?, at place: JSONReader) {
        switch constant {
        case nil, .success(.bool): break
        case .success(let value):
            place.finding("not_boolean", "the expression is always \(value.text), which is no boolean: never eligible")
        case .failure(let error):
            place.finding("always_fails", "the expression always fails: \(error.message)")
        }
    }

    private func readStyles(_ reader: JSONReader?) {
        for (_, style) in reader?.members() ?? [] where style.value != .null {
            _ = style.optional("priority")?.integer()
            _ = style.optional("max-display-count")?.integer()
            style.refuseUnknown(keys: ["priority", "max-display-count"])
        }
    }

    static let transforms = Set(EventQuery.Kind.allCases.map(\.rawValue)).union(["versionCompare", "bucketSample"])
}

extension JSONReader {
    /// A string; null, which deletes the key it patches, is no finding.
    func presentString() -> String? { value == .null ? nil : string() }
}
