internal import BellwetherBase
public import BellwetherJSON
internal import JEXL

extension Experiment {
    /// Reads a recipe under the slug it is published as, noting every fault; nil when there was one.
    ///
    /// Faults are what makes the SDK drop a recipe, and what could never enroll anyone; a field that it can do without
    /// and that has the wrong type is a warning and reads as missing (docs/reference/http-api.md#faults-and-warnings).
    public static func read(
        _ value: JSONValue, slug: String, revision: Int, manifest: Manifest, findings: Findings
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
            appName: quiet(reader, "appName")?.string, channels: readChannels(reader.tolerant),
            isRollout: isRollout, isEnrollmentPaused: isEnrollmentPaused,
            isFirefoxLabsOptIn: quiet(reader, "isFirefoxLabsOptIn")?.bool ?? false, bucketConfig: bucketConfig,
            branches: branches, targeting: targeting, dates: dates)
    }

    /// Counts are 32 bits wide in the SDK.
    static let bounds: ClosedRange<Int64> = 0...Int64(UInt32.max)

    private static func readSlug(_ reader: JSONReader, published slug: String) {
        guard let place = reader.required("slug"), let own = place.string(), !own.hasSameBytes(as: slug) else { return }
        place.finding("slug_mismatch", "the document's slug is \"\(own)\", its path says \"\(slug)\"")
    }

    /// A member whose type `readInformation` has looked at.
    private static func quiet(_ reader: JSONReader, _ key: String) -> JSONValue? { reader.value.object?[key] }

    /// `channel`, which the SDK compares; where there is none, version 7's `channels`.
    private static func readChannels(_ reader: JSONReader) -> [String] {
        if let channel = quiet(reader, "channel")?.string { return [channel] }
        return (reader.optional("channels")?.elements() ?? []).compactMap { $0.string() }
    }

    private static func readDates(_ reader: JSONReader) -> Dates {
        func read(_ key: String) -> Timestamp? {
            guard let place = reader.optional(key), let text = place.string() else { return nil }
            let date = Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "T00:00:00Z")
            if date == nil { place.finding("time", "\"\(text)\" is neither a date nor an RFC 3339 time") }
            return date
        }
        // Which nobody reads, but whose author is told of a fault in it.
        _ = read("enrollmentEndDate")
        return Dates(published: read("publishedDate"), start: read("startDate"), end: read("endDate"))
    }

    /// Targeting that is not a string is a fault too, though the field is optional: read as missing it would target
    /// everyone.
    private static func readTargeting(_ place: JSONReader, manifest: Manifest) -> CompiledExpression? {
        guard let source = place.string() else { return nil }
        MessagingReading(vocabulary: manifest.vocabulary, extending: [:]).readExpression(source, at: place.tolerant)
        return try? CompiledExpression(source)
    }

    private static func warnAboutBranches(_ reader: JSONReader, branches: [Branch], isRollout: Bool) {
        let place = reader.pointer.appending("branches")
        if isRollout, branches.count > 1 {
            reader.findings.warn("rollout_branches", at: place, "a rollout has one branch, this one \(branches.count)")
        }
        var slugs: Set<ByteKey> = []
        for (index, branch) in branches.enumerated() where !slugs.insert(ByteKey(text: branch.slug)).inserted {
            reader.findings.warn(
                "duplicate", at: place.appending(index).appending("slug"), "a branch before it has the same slug")
        }
        if let reference = quiet(reader, "referenceBranch")?.string, !slugs.contains(ByteKey(text: reference)) {
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
            randomizationUnit: unit, namespace: namespace, start: UInt32(start), count: UInt32(count), total: total)
    }

    /// Total 0 is undefined upstream and refused (docs/reference/experiments.md#bucketing).
    private static func readTotal(_ reader: JSONReader) -> UInt32? {
        guard let place = reader.optional("total") else { return Bucketing.defaultTotal }
        guard place.value.integer != nil else {
            _ = place.tolerant.integer()
            return Bucketing.defaultTotal
        }
        return place.integer(in: 1...Experiment.bounds.upperBound).map(UInt32.init)
    }
}
