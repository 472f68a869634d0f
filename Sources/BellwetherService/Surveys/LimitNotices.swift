internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// The notices about quotas and limits of responses that become full, which are stored in the commit that takes the
/// last slot (docs/reference/http-api.md#notices).
struct LimitNotices {
    let app: AppSnapshot
    /// The run that takes the slots.
    let run: Run
    /// The beginning of the ids. It was drawn before the transaction, whose function may run again.
    let id: Identifier
    /// The public address of the daemon, for links.
    let publicURL: String?
    let now: Timestamp

    /// A quota, or the limit of all responses.
    private struct Filled {
        let key: Identifier
        /// Nil for the limit of all responses.
        let quota: Identifier?
        let limit: Int
    }

    /// The rows of the outbox.
    ///
    /// - Parameters:
    ///   - tallies: the changed tallies of the limits.
    ///   - rows: the tallies before.
    func webhooks(of limits: [ResponseLimits], _ tallies: [(RowName, RowValue)], over rows: TransactionRows)
        -> [OutboxRow]
    {
        guard !app.manifest.notices.isEmpty else { return [] }
        let filled = tallies.flatMap { name, value -> [Filled] in
            guard case .tally(_, let key) = name, case .tally(let tally) = value,
                let limit = limits.first(where: { $0.key == key })
            else { return [] }
            return self.filled(limit, from: rows.tally(name), to: tally)
        }
        return filled.enumerated().flatMap { place, filled in
            content(filled).webhooks(of: app.manifest, at: now) { "\(id)_full_\(place)_\($0)" }
        }
    }

    private func filled(_ limit: ResponseLimits, from before: Tally, to after: Tally) -> [Filled] {
        guard let reached = limit.reached(after) else { return [] }
        let former = limit.reached(before)
        var filled = reached.quotas.filter { quota in former?.quotas.contains { $0.name == quota.name } != true }
            .map { Filled(key: limit.key, quota: $0.name, limit: $0.level.limit) }
        if let level = reached.responses, former?.responses == nil {
            filled.append(Filled(key: limit.key, quota: nil, limit: level.limit))
        }
        return filled
    }

    private func content(_ filled: Filled) -> NoticeContent {
        let subject = "“\(filled.key)” of \(app.manifest.shortName)"
        return NoticeContent(
            occasion: .full, app: app.name,
            sentence: filled.quota.map { "The quota “\($0)” of \(subject) is full: \(filled.limit)." }
                ?? "\(subject) has all its responses: \(filled.limit).",
            members: [
                "message": .string(filled.key), "quota": filled.quota.map { .string($0) } ?? .null,
                "limit": .integer(Int64(filled.limit)),
            ],
            link: NoticeContent.link(publicURL, app.name, "r/\(PercentEncoding.queryValue(run.slug.text))"))
    }
}
