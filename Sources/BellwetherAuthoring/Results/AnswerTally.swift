public import BellwetherBase
public import BellwetherJSON

/// One stored answer, with the values that results need.
public struct TalliedAnswer: Sendable {
    /// The identity of the option across revisions and languages: the string id or literal text in the author's
    /// document.
    public let optionID: Identifier
    /// The option's index in the answered revision.
    public let optionIndex: Int
    /// The client's branch of the recipe; nil if it was in none.
    public let branch: Identifier?
    public let locale: String
    public let at: Timestamp

    public init(optionID: Identifier, optionIndex: Int, branch: Identifier?, locale: String, at: Timestamp) {
        self.optionID = optionID
        self.optionIndex = optionIndex
        self.branch = branch
        self.locale = locale
        self.at = at
    }
}

/// The answers to one message. They are counted by option in total and for each branch, locale and day (UTC), one after
/// another.
public struct AnswerTally: Sendable {
    struct Option: Sendable {
        let id: Identifier
        let index: Int
        var count = 0
    }

    private(set) var options: [Option] = []
    private var positions: [Identifier: Int] = [:]
    private(set) var branches = GroupTally<Identifier?>()
    private(set) var locales = GroupTally<Identifier>()
    private(set) var days = GroupTally<Int64>()

    public init() {}

    public mutating func add(_ answer: TalliedAnswer) {
        let option = position(of: answer)
        options[option].count += 1
        branches.add(answer.branch, option: option)
        locales.add(Identifier(answer.locale), option: option)
        days.add(answer.at.seconds.floored(by: Timestamp.secondsPerDay), option: option)
    }

    /// The maximum number of separate options. Later options are counted as one.
    static let maximumOptions = 1000

    private mutating func position(of answer: TalliedAnswer) -> Int {
        let key = answer.optionID
        if let known = positions[key] { return known }
        guard options.count < Self.maximumOptions else { return options.count - 1 }
        options.append(Option(id: answer.optionID, index: answer.optionIndex))
        positions[key] = options.count - 1
        return options.count - 1
    }
}

/// Counts by option within each group of one kind. Locales come from clients, so the number of groups is bounded: later
/// groups are counted as the rest.
struct GroupTally<Key: Hashable & Sendable>: Sendable {
    static var maximum: Int { 4096 }

    private(set) var groups: [(key: Key?, counts: [Int])] = []
    private var positions: [Key: Int] = [:]
    private var rest: Int?

    mutating func add(_ key: Key, option: Int) {
        let group = index(of: key)
        let missing = option + 1 - groups[group].counts.count
        if missing > 0 { groups[group].counts += Array(repeating: 0, count: missing) }
        groups[group].counts[option] += 1
    }

    private mutating func index(of key: Key) -> Int {
        if let known = positions[key] { return known }
        if groups.count < Self.maximum {
            positions[key] = groups.count
            groups.append((key, []))
        } else if rest == nil {
            rest = groups.count
            groups.append((nil, []))
        }
        return positions[key] ?? rest ?? 0
    }
}
