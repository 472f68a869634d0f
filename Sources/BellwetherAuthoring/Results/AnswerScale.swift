public import BellwetherJSON

/// The scale of a survey's options: a value for each option, nil for an option outside the scale ("I don’t use it").
///
/// Only plain options are recognised as a scale. Other options have no scale, and so no mean: see `init(options:)`.
public struct AnswerScale: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        /// Degrees in words. The lowest is 1.
        case likert
        /// Consecutive whole numbers. Each option has its own value.
        case numeric
        /// The numbers 0 to 10, for a net promoter score.
        case nps
    }

    public let kind: Kind
    /// One value for each option, in their order.
    public let values: [Int?]
    /// The known set of words of a `likert` scale: an index of `ScaleWords.scales`.
    private let words: Int?

    init(kind: Kind, values: [Int?], words: Int? = nil) {
        self.kind = kind
        self.values = values
        self.words = words
    }

    /// Whether answers on both scales can be added: they have the same degrees, in any order and with any labels.
    func measuresTheSame(as other: AnswerScale) -> Bool {
        kind == other.kind && words == other.words
            && Set(values.compactMap(\.self)) == Set(other.values.compactMap(\.self))
    }

    /// The same scale with other options.
    func with(values: [Int?]) -> AnswerScale { AnswerScale(kind: kind, values: values, words: words) }
}

/// An option in the form for the recognition of scales.
public struct ScaleOption: Sendable, Hashable {
    /// The option in the author's document: a string id or a literal text.
    public let id: Identifier
    /// The text in the app's default locale.
    public let text: String

    public init(id: Identifier, text: String) {
        self.id = id
        self.text = text
    }
}

extension AnswerScale {
    /// The number of degrees of a scale. Fewer options are a choice, not a scale.
    static let degrees = 5...11

    /// Recognises the scale of the options; nil if they are not a scale:
    /// - `likert`: all five degrees of a known set, each once, in any order (`ScaleWords`);
    /// - `numeric`: five to eleven consecutive whole numbers from 0 or 1, rising or falling in the order of the
    ///   options; the two ends may carry a label (`0 – Not at all likely`);
    /// - `nps`: a numeric scale from 0 to 10.
    ///
    /// In addition, there may be the option "I don’t use it" of the Microsurvey table, which has no value.
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
