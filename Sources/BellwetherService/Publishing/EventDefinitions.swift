public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// The definitions of an app's derived events that are in force, each with the revision of the manifest with which it
/// came into force (docs/reference/events.md#derived-events).
public struct EventDefinitions: Sendable, Hashable {
    struct Definition: Sendable, Hashable {
        let base: Identifier
        let condition: String?
        let sum: Identifier?
        let revision: Int
        let since: Timestamp

        fileprivate func counts(like other: Self) -> Bool {
            base == other.base && condition == other.condition && sum == other.sum
        }
    }

    private(set) var definitions: [Identifier: Definition] = [:]

    init() {}

    public var isEmpty: Bool { definitions.isEmpty }

    /// The events by name in byte order, each with its base event, and the time since which it counts.
    public var all: [(name: Identifier, base: Identifier, since: Timestamp)] {
        definitions.sorted { $0.key < $1.key }.map { ($0.key, $0.value.base, $0.value.since) }
    }

    /// The revisions of the manifest, by event.
    var revisions: [Identifier: Int] { definitions.mapValues(\.revision) }

    /// Takes over the definitions of a manifest that comes into force. One that counts the same as before stays.
    /// Returns false if nothing changes.
    mutating func follow(_ manifest: Manifest, revision: Int, at now: Timestamp) -> Bool {
        let former = self
        definitions = [:]
        for (name, event) in manifest.events {
            guard let derivation = event.derivation else { continue }
            let new = Definition(
                base: derivation.base, condition: derivation.conditionSource, sum: derivation.sum, revision: revision,
                since: now)
            let old = former.definitions[name].flatMap { $0.counts(like: new) ? $0 : nil }
            definitions[name] = old ?? new
        }
        return self != former
    }

    public var json: JSONObject {
        var json: JSONObject = [:]
        for (name, definition) in definitions {
            var members: JSONObject = [
                "of": .string(definition.base), "revision": .integer(Int64(definition.revision)),
                "since": .integer(definition.since.milliseconds),
            ]
            if let condition = definition.condition { members["where"] = .string(condition) }
            if let sum = definition.sum { members["sum"] = .string(sum) }
            json[name.text] = .object(members)
        }
        return json
    }

    /// Nil for an object of another form.
    public init?(_ json: JSONObject) {
        for (name, value) in json {
            guard let base = value["of"].identifier, let revision = value["revision"].integer,
                let since = value["since"].integer
            else { return nil }
            definitions[Identifier(name)] = Definition(
                base: base, condition: value["where"].string, sum: value["sum"].identifier, revision: Int(revision),
                since: Timestamp(milliseconds: since))
        }
    }
}

extension Store {
    /// The definitions of an app's derived events; none if they cannot be read.
    func definitions(in app: Identifier) throws(StoreError) -> EventDefinitions {
        for row in try find(.small(.definitions, app: app), limit: 1) {
            if case .success(.definitions(let definitions)) = row.value { return definitions }
        }
        return EventDefinitions()
    }
}
