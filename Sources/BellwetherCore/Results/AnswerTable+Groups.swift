internal import BellwetherJSON

extension AnswerTable {
    /// A group's counts by option of the tally become counts by column.
    typealias Spread = ([Int]) -> [Int]

    init(branches: BranchGroups, _ tally: GroupTally<ByteKey?>, width: Int, _ spread: Spread) {
        var rows = branches.groups.map { Row(group: $0, counts: [Int](repeating: 0, count: width)) }
        for group in tally.groups {
            // Beyond what a tally tells apart it is not known whose an answer is: it counts as nobody's.
            let place = branches.place(of: group.key.flatMap { $0?.text })
            rows[place].counts = zip(rows[place].counts, spread(group.counts)).map { $0 + $1 }
        }
        self.rows = rows
    }

    /// Those with the most answers, in byte order: sorted by size they would tell what is withheld.
    init(locales tally: GroupTally<ByteKey>, _ spread: Spread) {
        let groups = tally.groups.sorted { left, right in
            guard let own = left.key, let other = right.key else { return left.key != nil }
            let (first, second) = (left.counts.reduce(0, +), right.counts.reduce(0, +))
            return first == second ? own.text.precedes(other.text) : first > second
        }
        let listed = groups.prefix(ResultsMaking.maximumLocales).compactMap { group in
            group.key.map { (name: $0.text, counts: group.counts) }
        }
        let rows = listed.sorted { $0.name.precedes($1.name) }
            .map { Row(group: .named($0.name), counts: spread($0.counts)) }
        self.rows = rows + Self.rest(groups.dropFirst(listed.count).map(\.counts), spread)
    }

    /// The newest ones, the oldest of them first; what is older still stands before them.
    init(days tally: GroupTally<Int64>, _ spread: Spread) {
        let groups = tally.groups.sorted { ($0.key ?? .min) > ($1.key ?? .min) }
        let listed = groups.prefix(ResultsMaking.maximumDays).compactMap { group in
            group.key.map { (day: $0, counts: group.counts) }
        }
        let rows = listed.reversed().map { day, counts in
            let start = Timestamp(seconds: day.multipliedSaturating(by: Timestamp.secondsPerDay))
            return Row(group: .named(String(start.rfc3339.prefix(10))), counts: spread(counts))
        }
        self.rows = Self.rest(groups.dropFirst(listed.count).map(\.counts), spread) + rows
    }

    private static func rest(_ groups: [[Int]], _ spread: Spread) -> [Row] {
        let rows = groups.map(spread)
        guard let first = rows.first else { return [] }
        let sum = rows.dropFirst().reduce(first) { sum, row in zip(sum, row).map { $0 + $1 } }
        return [Row(group: .rest, counts: sum)]
    }
}
