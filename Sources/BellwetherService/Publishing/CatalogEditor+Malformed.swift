internal import BellwetherCore
internal import BellwetherJSON

/// What a publish makes malformed, in its own document or in others that lived on what it took away.
extension CatalogEditor {
    func malformedKeys(of app: String) -> Set<String> {
        Set(snapshots[app]?.catalog.malformed.map(\.facts.key) ?? [])
    }

    /// Adds a warning for each message that has become malformed, unless a warning at the message says why already.
    func warned(
        _ receipt: PublishReceipt, _ request: PublishRequest, malformedBefore: Set<String>
    ) throws(PublishRefusal) -> PublishReceipt {
        guard receipt.effect != .unchanged, let snapshot = snapshots[request.app] else { return receipt }
        let place = MessagePlaces(request.change, in: snapshot)
        let known = Set(receipt.warnings.compactMap { place.message(at: $0.pointer) })
        var warnings: [Finding] = []
        for message in snapshot.catalog.malformed where warnings.count < Findings.maximum {
            let key = message.facts.key
            guard !malformedBefore.contains(key), !known.contains(key) else { continue }
            warnings.append(
                Finding(
                    pointer: place.pointer(to: key), code: "malformed",
                    message: "message \"\(key)\" becomes malformed: \(message.reason.sentence)"))
        }
        if reading.isStrict, !warnings.isEmpty { throw .faults(warnings, warnings: []) }
        return PublishReceipt(
            effect: receipt.effect, revision: receipt.revision, state: receipt.state,
            warnings: receipt.warnings + warnings)
    }
}

/// Where messages stand in a document that is published.
struct MessagePlaces {
    /// The `messaging` value's place.
    private let root: [String]
    /// As the author wrote each key, by the key that it stands for.
    private let written: [ByteKey: String]
    private let slug: String?

    init(_ change: PublishRequest.Change, in app: AppSnapshot) {
        let messages: JSONObject?
        switch change {
        case .putRecipe(let slug, _, _):
            root = []
            messages = app.recipes[slug]?.recipe.document.object?["messages"]?.object
            self.slug = slug
        case .putManifest:
            root = ["messaging"]
            messages = app.manifest.messaging["messages"]?.object
            slug = nil
        case .deleteManifest, .putStrings, .deleteStrings, .deleteRecipe, .putRecipes:
            root = []
            messages = nil
            slug = nil
        }
        var written: [ByteKey: String] = [:]
        for (key, _) in messages ?? [:] { written[ByteKey(text: Self.resolved(key, slug))] = key }
        self.written = written
    }

    /// Whether the document has the message itself.
    func holds(_ key: String) -> Bool { written[ByteKey(text: key)] != nil }

    /// The document's own message, else the messaging value as a whole.
    func pointer(to key: String) -> JSONPointer {
        guard let written = written[ByteKey(text: key)] else { return JSONPointer(tokens: root) }
        return JSONPointer(tokens: root + ["messages", written])
    }

    /// The key of the message in which a place lies.
    func message(at pointer: JSONPointer) -> String? {
        let tokens = pointer.tokens
        guard tokens.starts(with: root + ["messages"]), tokens.count > root.count + 1 else { return nil }
        return Self.resolved(tokens[root.count + 1], slug)
    }

    private static func resolved(_ key: String, _ slug: String?) -> String {
        slug.map { ExperimentSubstitution.replace(in: key, slug: $0) } ?? key
    }
}
