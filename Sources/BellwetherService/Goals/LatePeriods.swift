internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// The periods of a client's entries that another process has begun, and that the snapshot of a change does not have
/// yet. They are read from their rows, so that nothing is lost in the time until this process has caught up.
extension TransactionRows {
    /// The rows that have to be read before the client's events are counted.
    func missingPeriods(of client: ClientReference, in table: GoalTable) -> [RowName] {
        late(client, table).flatMap { slug -> [RowName] in
            let name = RowName.periods(app: client.app, slug: slug)
            guard isLoaded(name) else { return [name] }
            return revisions(client.app, slug, table).map(\.row).filter { !isLoaded($0) }
        }
    }

    /// The table with these periods. The rows are loaded.
    func adding(periodsOf client: ClientReference, to table: GoalTable) -> GoalTable {
        var table = table
        for slug in late(client, table) {
            guard case .periods(let stored)? = self[.periods(app: client.app, slug: slug)] else { continue }
            let periods = revisions(client.app, slug, table).compactMap { number, period, row -> GoalPeriod? in
                guard case .document(let revision)? = self[row],
                    let document = try? JSONValue(parsing: revision.text, limits: .kept)
                else { return nil }
                return GoalPeriod(
                    number, since: period.since, document: document, properties: period.properties)
            }
            table.add(periods, of: stored.periods.count, to: slug)
        }
        return table
    }

    private func late(_ client: ClientReference, _ table: GoalTable) -> Set<Identifier> {
        Set(state(of: client).goals.entries.filter(table.isBehind).map(\.slug))
    }

    private func revisions(
        _ app: Identifier, _ slug: Identifier, _ table: GoalTable
    ) -> [(number: Int, period: RecipePeriods.Period, row: RowName)] {
        guard case .periods(let stored)? = self[.periods(app: app, slug: slug)] else { return [] }
        return stored.periods.enumerated().dropFirst(table[slug]?.count ?? 0).compactMap { index, period in
            period.isClosed
                ? nil : (index + 1, period, .revision(app: app, slug: slug, period.revision))
        }
    }
}
