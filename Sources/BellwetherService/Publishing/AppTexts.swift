internal import BellwetherAuthoring
internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// All texts of an app in all its languages, and the places of their use in documents, for translators
/// (docs/reference/http-api.md#texts).
public struct AppTexts {
    private let app: AppSnapshot
    private let versions: [(locale: Identifier, version: DocumentVersion)]
    /// The texts by locale and id. An id is a table, a slash and a key.
    private var texts: [Identifier: [Identifier: String]] = [:]
    private var uses: [Identifier: [JSONValue]] = [:]
    /// The texts of recipes that are no ids.
    private var plain: [JSONValue] = []

    /// - Parameter withDrafts: whether drafts of strings and recipes replace the revisions in force.
    public init(of app: AppSnapshot, in snapshot: Snapshot, withDrafts: Bool) {
        self.app = app
        let locales = Set(app.stringDocuments.keys).union(snapshot.drafts(of: app.name).keys.compactMap(\.locale))
        versions = locales.sorted().compactMap { locale in
            snapshot.version(of: .strings(locale: locale), in: app.name).map { (locale, $0) }
        }
        for (locale, version) in versions {
            let document = withDrafts ? version.document : version.withoutDraft?.document
            texts[locale] = document.map { Self.read($0, locale: locale) } ?? [:]
        }
        findUses(withDrafts: withDrafts)
    }

    private static func read(_ document: StoredDocument, locale: Identifier) -> [Identifier: String] {
        guard let value = try? JSONValue(parsing: document.text, limits: .kept),
            let tables = StringTables.read(value, locale: locale.text, findings: Findings())
        else { return [:] }
        var texts: [Identifier: String] = [:]
        for (table, keys) in tables {
            for (key, text) in keys { texts["\(table)/\(key)"] = text }
        }
        return texts
    }

    private mutating func findUses(withDrafts: Bool) {
        let known = Set(texts.values.flatMap(\.keys))
        for recipe in app.recipes.values.sorted(by: { $0.stored.slug < $1.stored.slug }) {
            let stored = recipe.stored
            guard withDrafts || stored.state != .draft,
                let document = try? JSONValue(
                    parsing: (withDrafts ? stored.document : stored.served).text, limits: .kept)
            else { continue }
            let user: JSONObject = ["recipe": .string(stored.slug), "state": .string(stored.state.rawValue)]
            look(at: document, .root, for: known, user)
            plain += PlainText.all(in: document, app.strings).map { text in
                var row = user
                (row["pointer"], row["text"]) = (.string(text.pointer.description), .string(text.text))
                return .object(row)
            }
        }
        look(at: app.manifest.document, .root, for: known, ["recipe": .null, "state": "live"])
    }

    private mutating func look(
        at value: JSONValue, _ pointer: JSONPointer, for known: Set<Identifier>, _ user: JSONObject
    ) {
        switch value {
        case .array(let values):
            for (index, value) in values.enumerated() { look(at: value, pointer.appending(index), for: known, user) }
        case .object(let members):
            for (key, value) in members { look(at: value, pointer.appending(key), for: known, user) }
        case .string(let text) where text.utf8.contains(UInt8(ascii: "/")) && known.contains(Identifier(text)):
            var use = user
            use["pointer"] = .string(pointer.description)
            uses[Identifier(text), default: []].append(.object(use))
        default: break
        }
    }

    public var json: JSONValue {
        let locales = versions.map { locale, version -> JSONValue in
            let inForce = version.withoutDraft?.document
            return [
                "locale": .string(locale), "revision": inForce.map { .integer(Int64($0.revision)) } ?? .null,
                "draft_revision": version.isNewestDraft ? .integer(Int64(version.document.revision)) : .null,
                "etag": .string(version.entityTag),
            ]
        }
        let ids = Set(texts.values.flatMap(\.keys)).sorted()
        let rows = ids.map { id -> JSONValue in
            let own = versions.compactMap { locale, _ in
                texts[locale]?[id].map { (locale.text, JSONValue.string($0)) }
            }
            return ["id": .string(id), "in": .object(JSONObject(own)), "used_by": .array(uses[id] ?? [])]
        }
        return ["locales": .array(locales), "texts": .array(rows), "plain": .array(plain)]
    }
}
