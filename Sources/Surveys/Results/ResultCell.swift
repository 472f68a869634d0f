internal import BellwetherBase
public import BellwetherJSON

/// The facts that a group of runs has in common. The runs of a cell are counted together, and results are filtered by
/// cell (docs/decisions/0089-results-are-counted-in-the-commit-of-each-run.md).
public struct ResultCell: Sendable, Hashable {
    /// The day on which the runs began, in UTC.
    public let day: String
    public let isDevelopment: Bool
    public let isSubmitted: Bool
    public let isImported: Bool
    /// The experiment and the branch. Both are empty for runs in no branch.
    public let experiment: Identifier
    public let branch: Identifier

    private static let separator: Character = "\u{1F}"

    /// The recipe of a key, with or without an attribute; nil for a key of another form.
    public static func slug(of key: Identifier) -> Identifier? {
        let slug = key.text.prefix { $0 != separator && $0 != "\u{1E}" }
        return slug.isEmpty ? nil : Identifier(String(slug))
    }

    /// The prefix of the keys of a recipe's cells. A slug contains no control character.
    public static func prefix(_ slug: Identifier) -> String { "\(slug)\(separator)" }

    public init(_ run: Run) {
        day = CalendarDay(run.createdAt).text
        (isDevelopment, isSubmitted) = (run.isDevelopment, run.submittedAt != nil)
        isImported = run.origin != nil
        let isInBranch = run.experiment != nil && run.branch != nil
        (experiment, branch) = isInBranch ? (run.experiment ?? "", run.branch ?? "") : ("", "")
    }

    /// Reads a key; nil for a key of another form.
    public init?(key: Identifier) {
        let parts = key.text.split(separator: Self.separator, maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, parts[2].utf8.count == 3 else { return nil }
        let flags = Array(parts[2].utf8)
        day = String(parts[1])
        isDevelopment = flags[0] == UInt8(ascii: "d")
        isSubmitted = flags[1] == UInt8(ascii: "s")
        isImported = flags[2] == UInt8(ascii: "i")
        (experiment, branch) = (Identifier(String(parts[3])), Identifier(String(parts[4])))
    }

    /// The key of the row that contains the cell's counts.
    public func key(_ slug: Identifier) -> Identifier { key(under: slug.text) }

    private func key(under head: String) -> Identifier {
        let flags = (isDevelopment ? "d" : "p") + (isSubmitted ? "s" : "o") + (isImported ? "i" : "h")
        return Identifier([head, day, flags, experiment.text, branch.text].joined(separator: String(Self.separator)))
    }
}

/// A fact about a respondent by which results can be filtered and broken down: an attribute and its value
/// (docs/reference/surveys.md#breakdowns).
public struct ResultAttribute: Sendable, Hashable {
    public let name: Identifier
    public let value: Identifier

    private static let maximumLength = 256

    /// The name of the round. No attribute has it, because a name of the manifest has no control character.
    public static let roundName: Identifier = "\u{1D}round"
    /// The value of `roundName` for answers without a respondent.
    public static let noRound: Identifier = "none"

    /// Control characters become spaces, and only the first 256 characters of a value are used.
    public init(name: Identifier, value: String) {
        (self.name, self.value) = (name == Self.roundName ? name : Self.plain(name.text), Self.plain(value))
    }

    private static func plain(_ text: String) -> Identifier {
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(maximumLength) {
            plain.append(scalar.value < 0x20 ? " " : scalar)
        }
        return Identifier(String(plain))
    }
}

/// The cells of runs with the same value of an attribute. A run is in one such cell for each of its attributes, in
/// addition to its cell among all runs.
extension ResultCell {
    /// The prefix of the keys of an attribute's cells, or of the cells of one of its values.
    public static func prefix(_ slug: Identifier, attribute name: Identifier, value: String? = nil) -> String {
        let attribute = ResultAttribute(name: name, value: value ?? "")
        let prefix = "\(slug)\u{1E}\(attribute.name)\(separator)"
        return value == nil ? prefix : "\(prefix)\(attribute.value)\(separator)"
    }

    /// The key of the row that contains the counts of the cell's runs with this attribute.
    public func key(_ slug: Identifier, _ attribute: ResultAttribute) -> Identifier {
        key(under: Self.prefix(slug, attribute: attribute.name) + attribute.value.text)
    }

    /// The cell and the attribute's value in a key; nil for a key of another form.
    ///
    /// - Parameter attribute: the attribute's name; nil for a key of all runs, which has no value.
    public static func reading(
        _ key: Identifier, _ slug: Identifier, of attribute: Identifier?
    ) -> (cell: ResultCell, value: Identifier)? {
        guard let attribute else { return ResultCell(key: key).map { ($0, "") } }
        let prefix = prefix(slug, attribute: attribute)
        guard key.utf8.starts(with: prefix.utf8) else { return nil }
        // After the prefix, the key has the form of a key of all runs, with the value instead of the slug.
        let rest = String(decoding: key.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
        return ResultCell(key: Identifier(rest)).map { ($0, Identifier(String(rest.prefix { $0 != separator }))) }
    }
}

extension Run {
    /// The attributes by which the run's answers are counted: the kept attributes, and the attribution.
    public var resultAttributes: [ResultAttribute] {
        Set(attributes.map { Identifier($0.key) } + Self.attributionKeys).compactMap { name in
            attribute(name).map { ResultAttribute(name: name, value: $0) }
        } + [resultRound].compactMap(\.self)
    }

    /// The round by which the answer is counted; nil if it is the first one of a respondent. So a recipe that does not
    /// repeat has no rows of rounds (docs/reference/rounds.md#results).
    public var resultRound: ResultAttribute? {
        guard submittedAt != nil, status != .preview else { return nil }
        if isCountedWithoutRespondent { return ResultAttribute(name: ResultAttribute.roundName, value: "none") }
        guard let round = countedRound, round > 1 else { return nil }
        return ResultAttribute(name: ResultAttribute.roundName, value: "\(round)")
    }
}
