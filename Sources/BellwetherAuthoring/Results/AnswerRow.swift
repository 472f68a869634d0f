internal import BellwetherBase
internal import BellwetherJSON

/// The answers of one group, by the columns of an `OptionListing`.
struct AnswerRow {
    let group: ResultGroup
    let counts: [Int]

    static func branches(
        _ groups: BranchGroups, _ tally: GroupTally<Identifier?>, _ listing: OptionListing
    ) -> [AnswerRow] {
        var counts = groups.groups.map { _ in listing.spread([]) }
        for group in tally.groups {
            // An answer beyond the groups of the tally counts as an answer without a branch.
            let index = groups.index(of: group.key ?? nil)
            counts[index] = sum([counts[index], listing.spread(group.counts)])
        }
        return zip(groups.groups, counts).map { AnswerRow(group: $0, counts: $1) }
    }

    /// The locales with the most answers, then the other locales together.
    static func locales(_ tally: GroupTally<Identifier>, _ listing: OptionListing) -> [AnswerRow] {
        let groups = tally.groups.sorted { left, right in
            guard let own = left.key, let other = right.key else { return left.key != nil }
            let (first, second) = (left.counts.reduce(0, +), right.counts.reduce(0, +))
            return first == second ? own < other : first > second
        }
        let listed = groups.prefix(ResultsMaking.maximumLocales).compactMap { group in
            group.key.map { (name: $0.text, counts: group.counts) }
        }
        let rows = listed.sorted { $0.name.precedes($1.name) }
            .map { AnswerRow(group: .named(Identifier($0.name)), counts: listing.spread($0.counts)) }
        return rows + rest(groups.dropFirst(listed.count).map(\.counts), listing)
    }

    /// The newest days in ascending order. Older days come before them, combined.
    static func days(_ tally: GroupTally<Int64>, _ listing: OptionListing) -> [AnswerRow] {
        let groups = tally.groups.sorted { ($0.key ?? .min) > ($1.key ?? .min) }
        let listed = groups.prefix(ResultsMaking.maximumDays).compactMap { group in
            group.key.map { (day: $0, counts: group.counts) }
        }
        let rows = listed.reversed().map { day, counts in
            let start = Timestamp(seconds: day.multipliedSaturating(by: Timestamp.secondsPerDay))
            return AnswerRow(
                group: .named(Identifier(String(start.rfc3339.prefix(10)))), counts: listing.spread(counts))
        }
        return rest(groups.dropFirst(listed.count).map(\.counts), listing) + rows
    }

    private static func rest(_ groups: [[Int]], _ listing: OptionListing) -> [AnswerRow] {
        groups.isEmpty ? [] : [AnswerRow(group: .rest, counts: sum(groups.map(listing.spread)))]
    }

    private static func sum(_ rows: [[Int]]) -> [Int] {
        rows.dropFirst().reduce(rows.first ?? []) { sum, row in zip(sum, row).map { $0 + $1 } }
    }
}
