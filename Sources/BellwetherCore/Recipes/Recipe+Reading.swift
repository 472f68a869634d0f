internal import BellwetherBase
public import BellwetherJSON

extension Recipe {
    /// The keys that only an experiment's or a rollout's document has (docs/reference/experiments.md#recipe-documents).
    private static let experimentKeys = ["schemaVersion", "bucketConfig", "branches"]

    /// Reads a document under the slug of its publication; nil if there was a fault.
    public static func read(
        _ value: JSONValue, slug: Identifier, revision: Int, manifest: Manifest, findings: Findings
    ) -> Recipe? {
        let reader = JSONReader(value, findings: findings)
        guard let object = reader.object() else { return nil }
        if let content = object["kind"]?.string.flatMap(ContentKind.init(rawValue:)) {
            RecipeGoals.refuse(in: value, findings: findings)
            RolloutStages.refuse(in: value, findings: findings)
            let repeats = reader.optional("repeat").flatMap { RepeatRule($0.own) }
            let kind = readContent(reader, slug: slug, manifest: manifest)
            return kind.map {
                Recipe(
                    slug: slug, revision: revision, kind: $0, document: value, content: content, repeats: repeats)
            }
        }
        let kind: Kind?
        var (goals, stages): (RecipeGoals?, RolloutStages?)
        if Segment.isSegment(value) {
            checkSlug(reader, slug)
            kind = Segment.read(reader.own, slug: slug, manifest: manifest).map(Kind.segment)
        } else if isExperiment(object) {
            goals = RecipeGoals(value, manifest: manifest, findings: findings)
            stages = RolloutStages(value, findings: findings)
            kind = Experiment.read(value, slug: slug, revision: revision, manifest: manifest, findings: findings)
                .map(Kind.experiment)
        } else {
            RecipeGoals.refuse(in: value, findings: findings)
            RolloutStages.refuse(in: value, findings: findings)
            kind = readMessaging(reader, slug: slug, manifest: manifest).map(Kind.messaging)
        }
        return kind.map {
            Recipe(slug: slug, revision: revision, kind: $0, document: value, goals: goals, stages: stages)
        }
    }

    /// Whether the document has the shape of an experiment, which may be incomplete.
    public static func isExperiment(_ object: JSONObject) -> Bool {
        if object["branches"]?.array != nil || object["bucketConfig"]?.object != nil { return true }
        return experimentKeys.contains { object[$0] != nil } && !MessagingReading.hasForeignList(object)
    }

    /// Reads a recipe that messages present. Its `offer` is a message that has the recipe's slug as its key and
    /// presents the recipe. A recipe without an offer contributes no message.
    private static func readContent(_ reader: JSONReader, slug: Identifier, manifest: Manifest) -> Kind? {
        let findings = reader.findings
        let faultsBefore = findings.faults.count
        checkSlug(reader, slug)
        if let offer = reader.optional("offer") {
            guard offer.object() != nil else { return nil }
            if let trigger = offer.optional("trigger"), trigger.value.object != nil { LaunchTrigger.check(trigger.own) }
        }
        guard let offer = OfferMessaging(reader, slug: slug) else {
            return findings.faults.count == faultsBefore ? .messaging([:]) : nil
        }
        let own = Findings()
        let reading = MessagingReading(
            vocabulary: manifest.vocabulary, extending: manifest.baseMessaging, slug: slug)
        let normal = reading.read(JSONReader(.object(offer.messaging), findings: own), isOwn: true)
        findings.take(own, at: OfferMessaging.location)
        return findings.faults.count == faultsBefore ? normal.map(Kind.messaging) : nil
    }

    private static func checkSlug(_ reader: JSONReader, _ slug: Identifier) {
        guard let location = reader.optional("slug"), let own = location.identifier(), own != slug else {
            return
        }
        location.finding("slug_mismatch", "the document's slug is \"\(own)\", its path says \"\(slug)\"")
    }

    private static func readMessaging(_ reader: JSONReader, slug: Identifier, manifest: Manifest) -> JSONObject? {
        let findings = reader.findings
        let faultsBefore = findings.faults.count
        checkSlug(reader, slug)
        var messaging = reader.value.object ?? [:]
        // A value that declares another kind is not served as a message.
        if let location = reader.optional("kind"), let kind = location.value.string {
            let kinds = (ContentKind.allCases.map(\.rawValue) + [Segment.kind]).map { reader.quoted($0) }
                .joined(separator: ", ")
            location.finding("unknown_kind", "there is no kind \(reader.quoted(kind)): the kinds are \(kinds)")
            return nil
        }
        guard MessagingReading.isMessaging(messaging) else {
            let known = MessagingReading.variables.sorted() + experimentKeys
            let names = known.filter { messaging[$0] != nil }.map { reader.quoted($0) }
            reader.finding(
                "unknown_kind",
                names.isEmpty
                    ? "not a recipe: it has none of " + known.joined(separator: ", ")
                    : "not a recipe: its \(names.joined(separator: ", ")) is not that of a recipe")
            return nil
        }
        // The name is for the lists of owners.
        _ = reader.optional("userFacingName")?.string()
        for key in ["slug", "userFacingName", "goals", RolloutStages.member] { messaging[key] = nil }
        let reading = MessagingReading(
            vocabulary: manifest.vocabulary, extending: manifest.baseMessaging, slug: slug)
        let normal = reading.read(JSONReader(.object(messaging), findings: findings))
        return findings.faults.count == faultsBefore ? normal : nil
    }
}
