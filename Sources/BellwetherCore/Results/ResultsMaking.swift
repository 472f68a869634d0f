internal import BellwetherJSON

/// Makes an owner's results of what was counted: options in order, groups in order, small counts withheld.
public struct ResultsMaking {
    /// The message's options as it was served last.
    let current: [String]
    /// Counts from 1 to below this are withheld.
    let minimum: Int
    /// An option as people read it.
    let text: (String) -> String

    /// Listed by themselves; others are the rest.
    static let maximumOptions = 100
    static let maximumBranches = 100
    static let maximumLocales = 50
    static let maximumDays = 366

    public init(current: [String], minimum: Int, text: @escaping (String) -> String) {
        self.current = current
        self.minimum = minimum
        self.text = text
    }

    /// `all` counts each client once, whatever branches it was in.
    public func results(
        of message: String, _ answers: AnswerTally, funnel branches: [FunnelTally], all: FunnelTally
    ) -> MessageResults {
        let (options, columns) = columns(answers)
        let scale = scale(options)
        let spread: AnswerTable.Spread = { counts in
            var row = [Int](repeating: 0, count: options.count)
            for (option, count) in counts.enumerated() { row[columns[option]] += count }
            return row
        }
        let frame = TableFrame(totals: spread(answers.options.map(\.count)), scale: scale, minimum: minimum)
        let groups = BranchGroups(branches.map(\.branch) + answers.branches.groups.map { $0.key.flatMap { $0?.text } })
        let funnel = FunnelTable(groups, branches, all: all, minimum: minimum)
        let byBranch = AnswerTable(branches: groups, answers.branches, width: options.count, spread)
        let byLocale = AnswerTable(locales: answers.locales, spread)
        let byDay = AnswerTable(days: answers.days, spread)
        let hiddenBranches = funnel.withheldAnswers(beside: byBranch.rows.map(\.sum))
        let steps = funnel.lines(hidden: hiddenBranches, isTotalHidden: frame.isAllWithheld)
        return MessageResults(
            message: message,
            options: options.enumerated().map { place, option in
                ResultOption(id: option.id, text: option.text, index: option.index, value: scale?.values[place])
            },
            scale: scale?.kind, total: frame.total, branches: byBranch.lines(frame, hidden: hiddenBranches),
            locales: byLocale.lines(frame, hidden: byLocale.withheldRows(minimum: minimum)),
            days: byDay.lines(frame, hidden: byDay.withheldRows(minimum: minimum)), funnel: steps.total,
            funnelByBranch: steps.branches)
    }

    private struct Column {
        let id: String
        let text: String
        let index: Int?
    }

    /// The options to list, and the column of each counted option.
    private func columns(_ answers: AnswerTally) -> (options: [Column], columns: [Int]) {
        var positions: [ByteKey: Int] = [:]
        var options: [Column] = []
        func add(_ id: String, index: Int?) {
            guard positions[ByteKey(text: id)] == nil else { return }
            positions[ByteKey(text: id)] = options.count
            options.append(Column(id: id, text: text(id), index: index))
        }
        for (index, id) in current.enumerated() { add(id, index: index) }
        let earlier = answers.options.sorted { left, right in
            left.index == right.index ? left.id.precedes(right.id) : left.index < right.index
        }
        for option in earlier { add(option.id, index: nil) }
        var listed = Array(options.prefix(Self.maximumOptions))
        if options.count > listed.count { listed.append(Column(id: "", text: "", index: nil)) }
        let columns = answers.options.map { min(positions[ByteKey(text: $0.id)] ?? 0, Self.maximumOptions) }
        return (listed, columns)
    }

    /// Only where the current options alone were ever listed: what an earlier option was worth is not known.
    private func scale(_ options: [Column]) -> AnswerScale? {
        guard options.allSatisfy({ $0.index != nil }) else { return nil }
        return AnswerScale(options: options.map { ScaleOption(id: $0.id, text: $0.text) })
    }
}
