internal import BellwetherCore
public import BellwetherJSON

/// The levels of a recipe's quotas and limits (docs/reference/messaging.md#quotas): those of its own offer, and of the
/// messages that present it.
public struct LimitLevels: Sendable {
    public struct Level: Sendable, Hashable {
        public let taken: Int
        public let limit: Int
    }

    public let quotas: [(name: Identifier, level: Level)]
    /// The level of the smallest limit; nil if nothing is limited.
    public let responses: Level?
}

extension Persistence {
    /// Reads the levels. Queued with reads of telemetry.
    public func readLimits(
        of slug: Identifier, in app: AppSnapshot,
        _ completion: @escaping @Sendable (Result<LimitLevels, StoreError>) -> Void
    ) {
        let limits = app.limits(of: slug)
        let names = limits.map { RowName.tally(app: app.name, key: $0.key) }
        let question: @Sendable (TransactionRows) -> Inquiry<LimitLevels> = { rows in
            var (quotas, responses): ([(name: Identifier, level: LimitLevels.Level)], [LimitLevels.Level]) = ([], [])
            for (limit, name) in zip(limits, names) {
                let tally = rows.tally(name)
                quotas += limit.quotas.map {
                    ($0.name, LimitLevels.Level(taken: tally.slots[$0.name] ?? 0, limit: $0.limit))
                }
                if let most = limit.responseLimit { responses.append(.init(taken: tally.submitted, limit: most)) }
            }
            return .done(LimitLevels(quotas: quotas, responses: responses.min { $0.limit < $1.limit }))
        }
        inquire(names, question, completion)
    }
}

extension AppSnapshot {
    /// The limits of the recipe's messages, its own first.
    fileprivate func limits(of slug: Identifier) -> [ResponseLimits] {
        let presenting = catalog.messages.filter { $0.key == slug || $0.definition.presents == slug }.map(\.key)
        let keys = presenting.filter { $0 == slug } + presenting.filter { $0 != slug }
        return keys.compactMap { key in responseLimits.all.first { key == $0.key } }
    }
}
