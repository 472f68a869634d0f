public import BellwetherBase
public import BellwetherJSON
public import JEXL

/// A Nimbus recipe, experiment or rollout, as the SDK reads it (docs/reference/experiments.md#recipe-documents).
/// Versions 6 and 7 are both supported.
///
/// It contains only the fields that affect decisions. The whole document is stored beside it.
public final class Experiment: Sendable {
    public let slug: Identifier
    public let revision: Int
    public let appName: Identifier?
    /// The channels as written. They are compared without regard to case.
    public let channels: [Identifier]
    /// Whether it is a rollout: a single branch, with its own buckets and its own features.
    public let isRollout: Bool
    /// Whether new enrollments have stopped. Enrolled clients stay.
    public let isEnrollmentPaused: Bool
    /// Whether clients are enrolled only if they chose a branch.
    public let isFirefoxLabsOptIn: Bool
    public let bucketConfig: BucketConfig
    /// The branches. There is at least one, and the sum of the ratios is more than 0.
    public let branches: [Branch]
    /// The targeting expression; nil: everyone.
    public let targeting: CompiledExpression?
    public let dates: Dates

    init(
        slug: Identifier, revision: Int, appName: Identifier?, channels: [Identifier], isRollout: Bool,
        isEnrollmentPaused: Bool,
        isFirefoxLabsOptIn: Bool, bucketConfig: BucketConfig, branches: [Branch], targeting: CompiledExpression?,
        dates: Dates
    ) {
        self.slug = slug
        self.revision = revision
        self.appName = appName
        self.channels = channels
        self.isRollout = isRollout
        self.isEnrollmentPaused = isEnrollmentPaused
        self.isFirefoxLabsOptIn = isFirefoxLabsOptIn
        self.bucketConfig = bucketConfig
        self.branches = branches
        self.targeting = targeting
        self.dates = dates
    }

    /// The same recipe, whose targeting reads these segments. Targeting that cannot be compiled with them stays as it
    /// is, and fails.
    func reading(_ scope: AudienceScope) -> Experiment {
        guard let targeting, targeting.names(after: .segment).contains(where: { scope.segments[$0] != nil }),
            let bound = try? CompiledExpression(targeting.source, in: scope)
        else { return self }
        return Experiment(
            slug: slug, revision: revision, appName: appName, channels: channels, isRollout: isRollout,
            isEnrollmentPaused: isEnrollmentPaused, isFirefoxLabsOptIn: isFirefoxLabsOptIn, bucketConfig: bucketConfig,
            branches: branches, targeting: bound, dates: dates)
    }

    /// The dates. They are informative, except `published`, which orders evaluation and merging.
    public struct Dates: Sendable, Hashable {
        public let published: Timestamp?
        public let start: Timestamp?
        public let end: Timestamp?
    }

    /// The share of the population that can be enrolled (docs/reference/experiments.md#bucketing).
    public struct BucketConfig: Sendable, Hashable {
        public let randomizationUnit: RandomizationUnit
        public let namespace: Identifier
        public let start: UInt32
        public let count: UInt32
        /// The total number of buckets, never 0.
        public let total: UInt32
    }

    public struct Branch: Sendable, Hashable {
        public let slug: Identifier
        public let ratio: Int64
        public let features: [FeatureValue]

        /// The value that the branch sets for a feature; nil if it does not set the feature.
        public func value(of featureID: Identifier) -> JSONObject? {
            features.first { $0.featureID == featureID }?.value
        }
    }

    /// The value that a branch sets for a feature. In a value of `messaging` the aliases are normalised.
    public struct FeatureValue: Sendable, Hashable {
        public let featureID: Identifier
        public let value: JSONObject
    }

    /// The feature that the daemon serves itself.
    public static let messagingFeature: Identifier = "messaging"

    /// Whether the recipe names no app, or this one. An app without a name accepts every recipe.
    package func isForApp(_ name: String?) -> Bool {
        guard let appName, let name else { return true }
        return appName == name
    }

    /// Whether the recipe names no channel, or this one, which is given in lower case. Case is ignored; Cirrus compares
    /// exactly.
    package func isForChannel(lowercased channel: String?) -> Bool {
        guard let channel, !channels.isEmpty else { return true }
        return channels.contains { $0 == channel || Identifier($0.text.lowercased()) == channel }
    }

    public func branch(_ slug: Identifier) -> Branch? { branches.first { $0.slug == slug } }

    /// The features of all branches, each once, in the order of the document. A client of any branch holds all of them.
    public var featureIDs: [Identifier] {
        var seen: Set<Identifier> = []
        return branches.flatMap(\.features).map(\.featureID).filter { seen.insert($0).inserted }
    }
}

/// The id that assigns clients to buckets and branches. The schema has more units; the SDK refuses them.
public enum RandomizationUnit: String, Sendable, Hashable, CaseIterable {
    case nimbusID = "nimbus_id"
    case userID = "user_id"
}

extension Experiment.Branch {
    /// A limit above the number of branches of any real experiment. `BranchVector` stores a branch in 16 bits.
    static let maximumBranches = 1000

    /// All branches; nil if one cannot be read, or if no branch can ever be chosen.
    fileprivate static func readAll(_ reader: JSONReader, slug: Identifier, manifest: Manifest) -> [Self]? {
        guard let items = reader.elements() else { return nil }
        guard !items.isEmpty else {
            reader.finding("empty", "a recipe has at least one branch")
            return nil
        }
        guard items.count <= maximumBranches else {
            reader.finding("length", "a recipe has at most \(maximumBranches) branches")
            return nil
        }
        let branches = items.compactMap { read($0, slug: slug, manifest: manifest) }
        guard branches.count == items.count else { return nil }
        // Neither the sum nor the count can overflow: a ratio has 31 bits, and the number of values in a document is
        // limited.
        guard branches.contains(where: { $0.ratio > 0 }) else {
            reader.finding("ratios", "the ratios of the branches sum to 0")
            return nil
        }
        return branches
    }

    private static func read(_ reader: JSONReader, slug: Identifier, manifest: Manifest) -> Self? {
        guard reader.object() != nil else { return nil }
        let own = reader.required("slug")?.identifier()
        // The SDK stores it in 32 bits, signed.
        let ratio = reader.required("ratio")?.integer(in: 0...Int64(Int32.max))
        _ = reader.tolerant.optional("description")?.string()
        _ = reader.tolerant.optional("screenshots")?.elements()
        let locations = RecipeFeatures.locations(in: reader)
        let features = locations.compactMap { readFeature($0, slug: slug, manifest: manifest) }
        guard let own, let ratio, features.count == locations.count else { return nil }
        return Self(slug: own, ratio: ratio, features: features)
    }

    private static func readFeature(
        _ reader: JSONReader, slug: Identifier, manifest: Manifest
    ) -> Experiment.FeatureValue? {
        guard reader.object() != nil, let featureID = reader.required("featureId")?.identifier() else { return nil }
        guard let location = reader.optional("value"), let value = location.tolerant.object() else {
            return Experiment.FeatureValue(featureID: featureID, value: [:])
        }
        guard featureID == Experiment.messagingFeature else {
            return Experiment.FeatureValue(
                featureID: featureID, value: ExperimentSubstitution.apply(slug: slug, to: value))
        }
        let reading = MessagingReading(vocabulary: manifest.vocabulary, extending: manifest.baseMessaging, slug: slug)
        return reading.read(location).map { Experiment.FeatureValue(featureID: featureID, value: $0) }
    }
}

extension Experiment {
    private enum Form { case string, boolean, count, array, object }

    /// The optional fields of docs/reference/experiments.md#recipe-documents whose only rule is their type. Other
    /// fields are not read, but the document keeps them.
    private static let information: [(key: String, form: Form)] = [
        ("appName", .string), ("appId", .string), ("channel", .string), ("isFirefoxLabsOptIn", .boolean),
        ("featureIds", .array), ("proposedDuration", .count), ("referenceBranch", .string), ("outcomes", .array),
        ("locales", .array), ("localizations", .object), ("featureValidationOptOut", .boolean),
        ("firefoxLabsTitle", .string), ("firefoxLabsDescription", .string), ("firefoxLabsDescriptionLinks", .object),
        ("requiresRestart", .boolean), ("documentationLinks", .array),
    ]

    /// Warns of optional fields with the wrong type.
    fileprivate static func readInformation(_ reader: JSONReader) {
        for (key, form) in information {
            guard let location = reader.tolerant.optional(key) else { continue }
            switch form {
            case .string: _ = location.string()
            case .boolean: _ = location.bool()
            case .count: _ = location.integer()
            case .array: _ = location.elements()
            case .object: _ = location.object()
            }
        }
    }
}

extension Experiment {
    /// Reads a recipe under the slug of its publication and reports every fault; nil if there was one.
    ///
    /// A fault is a mistake for which the SDK drops a recipe, or with which no client could ever be enrolled. If the
    /// SDK can work without a field, a wrong type in it is a warning, and the field counts as missing
    /// (docs/reference/http-api.md#faults-and-warnings).
    public static func read(
        _ value: JSONValue, slug: Identifier, revision: Int, manifest: Manifest, findings: Findings
    ) -> Experiment? {
        let reader = JSONReader(value, findings: findings)
        guard reader.object() != nil else { return nil }
        let faultsBefore = findings.faults.count
        readSlug(reader, published: slug)
        for key in ["schemaVersion", "userFacingName", "userFacingDescription"] { _ = reader.required(key)?.string() }
        _ = reader.required("proposedEnrollment")?.integer(in: bounds)
        let isEnrollmentPaused = reader.required("isEnrollmentPaused")?.bool()
        let isRollout = reader.tolerant.optional("isRollout")?.bool() ?? false
        let bucketConfig = reader.required("bucketConfig").flatMap(BucketConfig.read)
        let branches = reader.required("branches").flatMap { Branch.readAll($0, slug: slug, manifest: manifest) }
        let targeting = reader.optional("targeting").flatMap { readTargeting($0, manifest: manifest) }
        readInformation(reader)
        warnAboutBranches(reader, branches: branches ?? [], isRollout: isRollout)
        let dates = readDates(reader.tolerant)
        guard findings.faults.count == faultsBefore, let isEnrollmentPaused, let bucketConfig, let branches
        else { return nil }
        return Experiment(
            slug: slug, revision: revision,
            appName: quiet(reader, "appName")?.identifier, channels: readChannels(reader.tolerant),
            isRollout: isRollout, isEnrollmentPaused: isEnrollmentPaused,
            isFirefoxLabsOptIn: quiet(reader, "isFirefoxLabsOptIn")?.bool ?? false, bucketConfig: bucketConfig,
            branches: branches, targeting: targeting, dates: dates)
    }

    /// Counts are 32 bits wide in the SDK.
    static let bounds: ClosedRange<Int64> = 0...Int64(UInt32.max)

    private static func readSlug(_ reader: JSONReader, published slug: Identifier) {
        guard let location = reader.required("slug"), let own = location.identifier(), own != slug else {
            return
        }
        location.finding("slug_mismatch", "the document's slug is \"\(own)\", its path says \"\(slug)\"")
    }

    /// A member whose type `readInformation` has checked.
    private static func quiet(_ reader: JSONReader, _ key: String) -> JSONValue? { reader.value.object?[key] }

    /// The value of `channel`, which the SDK compares; if there is none, version 7's `channels`.
    private static func readChannels(_ reader: JSONReader) -> [Identifier] {
        if let channel = quiet(reader, "channel")?.string { return [Identifier(channel)] }
        return (reader.optional("channels")?.elements() ?? []).compactMap { $0.identifier() }
    }

    private static func readDates(_ reader: JSONReader) -> Dates {
        func read(_ key: String) -> Timestamp? {
            guard let location = reader.optional(key), let text = location.string() else { return nil }
            let date = Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "T00:00:00Z")
            if date == nil { location.finding("time", "\"\(text)\" is neither a date nor an RFC 3339 time") }
            return date
        }
        // The daemon does not use this field, but reports a fault in it.
        _ = read("enrollmentEndDate")
        return Dates(published: read("publishedDate"), start: read("startDate"), end: read("endDate"))
    }

    /// Reads the targeting. A value that is not a string is a fault, although the field is optional: if it counted as
    /// missing, the recipe would target everyone.
    private static func readTargeting(_ location: JSONReader, manifest: Manifest) -> CompiledExpression? {
        guard let source = location.string() else { return nil }
        MessagingReading(vocabulary: manifest.vocabulary, extending: [:]).readExpression(source, at: location.tolerant)
        return try? CompiledExpression(source, in: manifest.audienceScope)
    }

    private static func warnAboutBranches(_ reader: JSONReader, branches: [Branch], isRollout: Bool) {
        let location = reader.pointer.appending("branches")
        // A branch with ratio 0 gets no new clients, but keeps the clients that an experiment has enrolled in it.
        let taking = branches.count { $0.ratio > 0 }
        if isRollout, taking > 1 {
            reader.findings.warn("rollout_branches", at: location, "a rollout has one branch, this one \(taking)")
        }
        var slugs: Set<Identifier> = []
        for (index, branch) in branches.enumerated() where !slugs.insert(branch.slug).inserted {
            reader.findings.warn(
                "duplicate", at: location.appending(index).appending("slug"), "a branch before it has the same slug")
        }
        if let reference = quiet(reader, "referenceBranch")?.string, !slugs.contains(Identifier(reference)) {
            reader.findings.warn(
                "unknown_branch", at: reader.pointer.appending("referenceBranch"), "no branch is \"\(reference)\"")
        }
    }
}

extension Experiment.BucketConfig {
    static func read(_ reader: JSONReader) -> Self? {
        guard reader.object() != nil else { return nil }
        let unit = reader.required("randomizationUnit")?.choice(RandomizationUnit.self)
        let namespace = reader.required("namespace")?.string()
        let start = reader.required("start")?.integer(in: Experiment.bounds)
        let count = reader.required("count")?.integer(in: Experiment.bounds)
        let total = readTotal(reader)
        guard let unit, let namespace, let start, let count, let total else { return nil }
        return Self(
            randomizationUnit: unit, namespace: Identifier(namespace), start: UInt32(start), count: UInt32(count),
            total: total)
    }

    /// Reads the total. A total of 0 is undefined upstream and is refused (docs/reference/experiments.md#bucketing).
    private static func readTotal(_ reader: JSONReader) -> UInt32? {
        guard let location = reader.optional("total") else { return Bucketing.defaultTotal }
        guard location.value.integer != nil else {
            _ = location.tolerant.integer()
            return Bucketing.defaultTotal
        }
        return location.integer(in: 1...Experiment.bounds.upperBound).map(UInt32.init)
    }
}
