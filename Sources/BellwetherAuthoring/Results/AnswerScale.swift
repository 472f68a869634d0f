internal import BellwetherJSON

/// The scale that the options of a survey are: a value for each option, none for one beside the scale ("I don’t use
/// it").
///
/// Only plain options are taken for a scale; anything else has none, and so no mean: see `init(options:)`.
public struct AnswerScale: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        /// Degrees in words, the lowest 1.
        case likert
        /// Consecutive whole numbers, each option its own value.
        case numeric
        /// The numbers 0 to 10: the question that a net promoter score is made of.
        case nps
    }

    public let kind: Kind
    /// One for each option, in their order.
    public let values: [Int?]
    /// The known set of words that a `likert` scale has: an index of `ScaleWords.scales`.
    private let words: Int?

    init(kind: Kind, values: [Int?], words: Int? = nil) {
        self.kind = kind
        self.values = values
        self.words = words
    }

    /// Whether answers on both add up: the same degrees, whatever their order and labels.
    func measuresTheSame(as other: AnswerScale) -> Bool {
        kind == other.kind && words == other.words
            && Set(values.compactMap(\.self)) == Set(other.values.compactMap(\.self))
    }

    /// The scale with other options.
    func with(values: [Int?]) -> AnswerScale { AnswerScale(kind: kind, values: values, words: words) }
}

/// An option as the recognition of scales reads it.
public struct ScaleOption: Sendable, Hashable {
    /// As its author wrote it: a string id or a literal text.
    public let id: String
    /// In the app's default locale.
    public let text: String

    public init(id: String, text: String) {
        self.id = id
        self.text = text
    }
}

extension AnswerScale {
    /// How many degrees a scale has; fewer are a choice, not a scale.
    static let degrees = 5...11

    /// The scale that the options are, if they are one:
    /// - `likert`: all five degrees of a known set, each once, in any order (`ScaleWords`);
    /// - `numeric`: five to eleven consecutive whole numbers from 0 or 1, rising or falling in the order of the
    ///   options; the two ends may carry a label (`0 – Not at all likely`);
    /// - `nps`: a numeric scale from 0 to 10.
    ///
    /// Beside them the one option "I don’t use it" of the Microsurvey table may stand, which has no value.
    public init?(options: [ScaleOption]) {
        let beside = options.indices.filter { ScaleWords.isNotApplicable(options[$0]) }
        guard beside.count <= 1 else { return nil }
        let degrees = options.indices.filter { !beside.contains($0) }
        guard Self.degrees.contains(degrees.count) else { return nil }
        let own = degrees.map { options[$0] }
        guard let scale = Self.likert(own) ?? Self.numeric(own) else { return nil }
        var values = [Int?](repeating: nil, count: options.count)
        for (index, value) in zip(degrees, scale.values) { values[index] = value }
        self = scale.with(values: values)
    }

    private static func likert(_ options: [ScaleOption]) -> AnswerScale? {
        for (words, scale) in ScaleWords.scales.enumerated() where scale.count == options.count {
            let ranks = options.compactMap { option in
                scale.firstIndex { $0.isSaid(by: option) }.map { $0 + 1 }
            }
            if Set(ranks).count == options.count {
                return AnswerScale(kind: .likert, values: ranks, words: words)
            }
        }
        return nil
    }

    private static func numeric(_ options: [ScaleOption]) -> AnswerScale? {
        var numbers: [Int] = []
        for (index, option) in options.enumerated() {
            let mayBeLabelled = index == 0 || index == options.count - 1
            guard let number = ScaleWords.number(option.text, mayBeLabelled: mayBeLabelled) else { return nil }
            numbers.append(number)
        }
        guard let first = numbers.first, let last = numbers.last else { return nil }
        let step = first < last ? 1 : -1
        guard zip(numbers, numbers.dropFirst()).allSatisfy({ $1 - $0 == step }), (0...1).contains(min(first, last))
        else { return nil }
        let isNPS = min(first, last) == 0 && max(first, last) == 10
        return AnswerScale(kind: isNPS ? .nps : .numeric, values: numbers)
    }
}
