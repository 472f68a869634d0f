public import BellwetherJSON

/// Makes an owner's results from counts: ordered options, ordered groups, and withheld small counts.
public struct ResultsMaking {
    let options: SurveyOptions
    /// Counts from 1 to below this are withheld.
    let minimum: Int
    /// The branches with which others are compared: the first one that has answers counts.
    let references: [Identifier]
    /// The text of an option, for people.
    let text: (String) -> String

    /// The maximum numbers of separate groups. Other groups are the rest.
    static let maximumBranches = 100
    static let maximumLocales = 50
    static let maximumDays = 366

    public init(
        options: SurveyOptions, minimum: Int, references: [Identifier] = [], text: @escaping (String) -> String
    ) {
        self.options = options
        self.minimum = minimum
        self.references = references
        self.text = text
    }

    /// `all` counts each client once, even if it was in several branches.
    public func results(
        of message: Identifier, _ answers: AnswerTally, funnel tallies: [FunnelTally], all: FunnelTally
    ) -> MessageResults {
        let listing = OptionListing(options, answers, text: text)
        let groups = BranchGroups(tallies.map(\.branch) + answers.branches.groups.map { $0.key ?? nil })
        var table = WithheldCells()
        func cells(_ row: AnswerRow, ofBranch branch: Identifier? = nil) -> AnswerCells {
            let (columns, scale) = listing.frame(ofBranch: branch, row.counts)
            return AnswerCells(row, columns: columns, scale: scale, in: &table)
        }
        let total = cells(AnswerRow(group: .none, counts: listing.spread(answers.options.map(\.count))))
        let lines = [
            AnswerRow.branches(groups, answers.branches, listing).map { cells($0, ofBranch: $0.group.name) },
            AnswerRow.locales(answers.locales, listing).map { cells($0) },
            AnswerRow.days(answers.days, listing).map { cells($0) },
        ]
        for lines in lines { AnswerCells.addSums(total, lines, to: &table) }
        table.withhold(below: minimum)
        func shown(_ line: AnswerCells) -> AnswerLine { AnswerLine(line, in: table, minimum: minimum) }
        let branches = lines[0].map(shown)
        let reference = references.lazy.compactMap { name in
            branches.first { $0.score != nil && $0.group.name == name }
        }.first
        let funnel = FunnelLine.lines(all, groups.funnels(tallies), minimum: minimum)
        return MessageResults(
            message: message,
            options: listing.columns.enumerated().map { position, column in
                ResultOption(
                    id: column.id, text: column.text, index: column.index, value: total.scale?.values[position])
            },
            total: shown(total), branches: branches.map { $0.compared(with: reference) }, locales: lines[1].map(shown),
            days: lines[2].map(shown),
            funnel: funnel.all, funnelByBranch: funnel.branches)
    }
}
