internal import BellwetherCore
internal import BellwetherJSON

/// What a publish makes malformed, in its own document or in others that lived on what it took away.
extension CatalogEditor {
    func malformedKeys(of app: String) -> Set<String> {
        Set(snapshots[app]?.catalog.malformed.map(\.facts.key) ?? [])
    }

    func oversizedKeys(of app: String) -> Set<String> { Set(snapshots[app]?.catalog.oversized ?? []) }

    /// A message that recipes patch in more ways than the daemon keeps forms of could not be served: what would make it
    /// so is refused.
    func refuseOversized(_ request: PublishRequest, before: Set<String>) throws(PublishRefusal) {
        guard let snapshot = snapshots[request.app] else { return }
        let place = MessagePlaces(request.change, in: snapshot)
        let faults = snapshot.catalog.oversized.filter { !before.contains($0) }.prefix(Findings.maximum).map { key in
            Finding(
                pointer: place.pointer(to: key), code: "too_many_forms",
                message: "the app's recipes patch message \"\(key)\" in too many independent ways to serve them all")
        }
        if !faults.isEmpty { throw .faults(faults, warnings: []) }
    }

    /// Adds a warning for each message that has become malformed, unless a warning at the message says why already.
    func warned(
        _ receipt: PublishReceipt, _ request: PublishRequest, malformedBefore: Set<String>
    ) throws(PublishRefusal) -> PublishReceipt {
        guard receipt.effect != .unchanged, let snapshot = snapshots[request.app] else { return receipt }
        let place = MessagePlaces(request.change, in: snapshot)
        var known = Set(receipt.warnings.compactMap { place.message(at: $0.pointer) })
        var warnings: [Finding] = []
        for message in snapshot.catalog.malformed where warnings.count < Findings.maximum {
            let key = message.facts.key
            guard !malformedBefore.contains(key), known.insert(key).inserted else { continue }
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
    /// A `messaging` value of the document.
    private struct Value {
        let root: [String]
        /// As the author wrote each key, by the key that it stands for.
        var written: [ByteKey: String] = [:]

        init(root: [String], _ messaging: JSONValue?, slug: String?) {
            self.root = root
            for (key, _) in messaging?.object?["messages"]?.object ?? [:] {
                written[ByteKey(text: MessagePlaces.resolved(key, slug))] = key
            }
        }
    }

    /// One, or one for each branch that has the feature.
    private let values: [Value]
    private let slug: String?

    init(_ change: PublishRequest.Change, in app: AppSnapshot) {
        switch change {
        case .putRecipe(let slug, _, _):
            let recipe = app.recipes[slug]?.recipe
            values =
                recipe?.experiment == nil
                ? [Value(root: [], recipe?.document, slug: slug)]
                : Self.branchValues(recipe?.document ?? .null, slug: slug)
            self.slug = slug
        case .putManifest:
            values = [Value(root: ["messaging"], .object(app.manifest.messaging), slug: nil)]
            slug = nil
        case .deleteManifest, .putStrings, .deleteStrings, .deleteRecipe, .putRecipes, .setState, .rollback:
            values = []
            slug = nil
        }
    }

    /// Whether the document has the message itself.
    func holds(_ key: String) -> Bool { values.contains { $0.written[ByteKey(text: key)] != nil } }

    private static func branchValues(_ document: JSONValue, slug: String) -> [Value] {
        let branches = document.object?["branches"]?.array ?? []
        return branches.enumerated().flatMap { index, branch -> [Value] in
            let root = ["branches", String(index)]
            guard let features = branch.object?["features"]?.array else {
                return [
                    Value(root: root + ["feature", "value"], branch.object?["feature"]?.object?["value"], slug: slug)
                ]
            }
            return features.enumerated().map { place, feature in
                Value(root: root + ["features", String(place), "value"], feature.object?["value"], slug: slug)
            }
        }
    }

    /// The document's own message, else the first messaging value as a whole.
    func pointer(to key: String) -> JSONPointer {
        for value in values {
            if let written = value.written[ByteKey(text: key)] {
                return JSONPointer(tokens: value.root + ["messages", written])
            }
        }
        return JSONPointer(tokens: values.first?.root ?? [])
    }

    /// The key of the message in which a place lies.
    func message(at pointer: JSONPointer) -> String? {
        let tokens = pointer.tokens
        for value in values {
            let start = value.root + ["messages"]
            if tokens.starts(with: start), tokens.count > start.count {
                return Self.resolved(tokens[start.count], slug)
            }
        }
        return nil
    }

    private static func resolved(_ key: String, _ slug: String?) -> String {
        ExperimentSubstitution.replace(in: key, slug: slug)
    }
}
