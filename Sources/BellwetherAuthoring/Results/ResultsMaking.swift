internal import BellwetherJSON

/// Makes an owner's results from counts: ordered options, ordered groups, and withheld small counts.
public struct ResultsMaking {
    let options: SurveyOptions
    /// Counts from 1 to below this are withheld.
    let minimum: Int
    /// The text of an option, for people.
    let text: (String) -> String

    /// The maximum numbers of separate groups. Other groups are the rest.
    static let maximumBranches = 100
    static let maximumLocales = 50
    static let maximumDays = 366

    public init(options: SurveyOptions, minimum: Int, text: @escaping (String) -> String) {
        self.options = options
        self.minimum = minimum
        self.text = text
    }

    /// `all` counts each client once, even if it was in several branches.
    public func results(
        of message: String, _ answers: AnswerTally, funnel branches: [FunnelTally], all: FunnelTally
    ) -> MessageResults {
        let listing = OptionListing(options, answers, text: text)
        func line(_ row: AnswerRow, ofBranch branch: String? = nil) -> AnswerLine {
            let (columns, scale) = listing.frame(ofBranch: branch, row.counts)
            return AnswerLine(row, columns: columns, scale: scale, minimum: minimum)
        }
        let total = line(AnswerRow(group: .none, counts: listing.spread(answers.options.map(\.count))))
        let groups = BranchGroups(branches.map(\.branch) + answers.branches.groups.map { $0.key.flatMap { $0?.text } })
        return MessageResults(
            message: message,
            options: listing.columns.enumerated().map { position, column in
                ResultOption(
                    id: column.id, text: column.text, index: column.index, value: total.scale?.values[position])
            },
            total: total,
            branches: AnswerRow.branches(groups, answers.branches, listing).map { line($0, ofBranch: $0.group.name) },
            locales: AnswerRow.locales(answers.locales, listing).map { line($0) },
            days: AnswerRow.days(answers.days, listing).map { line($0) },
            funnel: FunnelLine(.none, all, minimum: minimum),
            funnelByBranch: groups.funnels(branches).map { FunnelLine($0, $1, minimum: minimum) })
    }
}
