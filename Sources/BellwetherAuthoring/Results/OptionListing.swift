internal import BellwetherJSON

/// The options in the results of a message: the options of its branches, then the options of earlier revisions.
struct OptionListing {
    struct Column {
        let id: Identifier
        let text: String
        /// The option's index in the first list that has it; nil if no list has it now.
        let index: Int?
    }

    /// A list of `SurveyOptions`.
    private struct List {
        let branch: Identifier?
        /// The columns of the list's options, each once.
        let columns: [Int]
        /// The scale; also nil if some options are in the rest column.
        let scale: AnswerScale?
    }

    private(set) var columns: [Column] = []
    private var lists: [List] = []
    /// The column of each option of the tally.
    private var counted: [Int] = []

    /// The maximum number of separate columns. Other options are the rest.
    static let maximumColumns = 100

    init(_ options: SurveyOptions, _ tally: AnswerTally, text: (String) -> String) {
        var positions: [Identifier: Int] = [:]
        func add(_ id: Identifier, index: Int?) {
            guard positions[id] == nil else { return }
            positions[id] = positions.count
            if columns.count < Self.maximumColumns { columns.append(Column(id: id, text: text(id.text), index: index)) }
        }
        for list in options.lists {
            for (index, id) in list.options.enumerated() { add(id, index: index) }
        }
        let earlier = tally.options.sorted { left, right in
            left.index == right.index ? left.id < right.id : left.index < right.index
        }
        for option in earlier { add(option.id, index: nil) }
        if positions.count > columns.count { columns.append(Column(id: "", text: "", index: nil)) }
        func column(_ id: Identifier) -> Int { min(positions[id] ?? 0, Self.maximumColumns) }
        counted = tally.options.map { column($0.id) }
        lists = options.lists.map { list in
            let all = list.options.map(column)
            let isWhole = !all.contains(Self.maximumColumns)
            let columns = isWhole ? all : Set(all).sorted()
            return List(branch: list.branch, columns: columns, scale: isWhole ? list.scale(text) : nil)
        }
    }

    /// Converts a group's counts by option of the tally to counts by column.
    func spread(_ counts: [Int]) -> [Int] {
        var row = [Int](repeating: 0, count: columns.count)
        for (option, count) in counts.enumerated() { row[counted[option]] += count }
        return row
    }

    /// The columns of a group's line, and their scale. A branch with its own list has that list, and other options that
    /// its clients answered. Any other group has all columns.
    func frame(ofBranch branch: Identifier?, _ counts: [Int]) -> (columns: [Int], scale: AnswerScale?) {
        let all = Array(columns.indices)
        guard let own = branch.flatMap({ branch in lists.first { $0.branch == branch } })
        else { return (all, scale(of: lists, columns: all)) }
        let listed = own.columns + all.filter { counts[$0] > 0 && !own.columns.contains($0) }
        return (listed, scale(of: [own], columns: listed))
    }

    /// The scale that these lists share. It is nil if a column has no value on the scale: the value of an earlier
    /// revision's option is unknown.
    private func scale(of these: [List], columns: [Int]) -> AnswerScale? {
        guard let first = these.first?.scale,
            these.allSatisfy({ $0.scale?.measuresTheSame(as: first) == true })
        else { return nil }
        var values: [Int: Int?] = [:]
        for list in lists {
            guard let scale = list.scale, scale.measuresTheSame(as: first) else { continue }
            for (column, value) in zip(list.columns, scale.values) { values.updateValue(value, forKey: column) }
        }
        guard columns.allSatisfy({ values.keys.contains($0) }) else { return nil }
        return first.with(values: columns.map { values[$0].flatMap(\.self) })
    }
}
