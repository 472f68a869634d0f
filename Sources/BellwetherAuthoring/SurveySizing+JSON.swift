internal import BellwetherCore
public import BellwetherJSON

/// The request for a sizing, and its response.
extension SurveySizing {
    private static let counts = 1...Int64(Int32.max)

    /// Reads `{responses | margin, response_rate, active_clients, seen?, branches?, buckets?, nps?}`. Shares are
    /// fractions of 1. Nil after a fault.
    public init?(_ reader: JSONReader) {
        let responses = reader.optional("responses").flatMap { $0.integer(in: Self.counts) }
        let margin = reader.optional("margin").flatMap { Self.share($0, in: 0.0001...0.5) }
        let rate = reader.required("response_rate").flatMap { Self.share($0, in: 0.0001...1) }
        let active = reader.required("active_clients")?.integer(in: Self.counts)
        let seen = reader.optional("seen").map { Self.share($0, in: 0.0001...1) } ?? 1
        let branches = reader.optional("branches").map { $0.integer(in: Self.counts) } ?? 1
        let buckets =
            reader.optional("buckets").map { $0.integer(in: Self.counts) } ?? Int64(Bucketing.defaultTotal)
        let measure: Measure =
            reader.optional("nps")?.bool() ?? false ? .netPromoterScore(promoters: 0.5, detractors: 0.5) : .share
        if (reader.value.object?["responses"] == nil) == (reader.value.object?["margin"] == nil) {
            reader.finding("choice", "give responses or margin")
        }
        guard responses != nil || margin != nil, let rate, let active, let seen, let branches, let buckets else {
            return nil
        }
        let wanted = margin.map { Self.responses(margin: $0, of: Int(active), measure: measure) }
        self.init(
            responsesPerBranch: wanted ?? Int(responses ?? 1), branches: Int(branches), responseRate: rate, seen: seen,
            activeClients: Int(active), buckets: UInt32(buckets), measure: measure)
    }

    private static func share(_ reader: JSONReader, in range: ClosedRange<Double>) -> Double? {
        guard let share = reader.number() else { return nil }
        if range.contains(share) { return share }
        reader.finding("range", "expected a number \(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    public var json: JSONValue {
        [
            "responses": .integer(Int64(responses)), "responses_per_branch": .integer(Int64(responsesPerBranch)),
            "branches": .integer(Int64(branches)), "measure": measure == .share ? "share" : "nps",
            "margin_of_error": .number(marginOfError), "invitations_seen": .integer(Int64(invitations)),
            "enrolled": .integer(Int64(enrolled)), "active_clients": .integer(Int64(activeClients)),
            "share": .number(share), "bucket_count": bucketCount.map { .integer(Int64($0)) } ?? .null,
            "bucket_total": .integer(Int64(buckets)), "is_reachable": .bool(bucketCount != nil),
            "reachable_responses_per_branch": .integer(Int64(reachableResponsesPerBranch)),
        ]
    }
}
