public import JEXL

/// A mistake in an expression that follows from the types alone.
public struct TypeMistake: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// An error, or a comparison that always has the same result.
        case mismatch
        /// An integer that is searched among floats, or a float among integers: `in` distinguishes 1 from 1.0.
        case integerInList
        /// The transform refuses its arguments.
        case failingCall
        /// A condition on an event's time that no time fulfils.
        case neverTrue
        /// Versions that are compared as texts.
        case versionOrder
        /// A number in another unit than the value that it is compared with.
        case unit
        /// A text in a form that the attribute never has.
        case noSuchValue
        /// A list that is written as one text.
        case textAsList
        /// The whole expression is never true or false.
        case notBoolean
    }

    public let kind: Kind
    /// The message, as a sentence for people.
    public let message: String
    /// The offset in UTF-8 bytes of the expression.
    public let offset: Int
}

extension CompiledExpression {
    /// Every mistake that follows from the types of the identifiers. `types` returns nil for an identifier that may
    /// have any type.
    public func typeMistakes(_ types: @escaping (String) -> ValueTypes?) -> [TypeMistake] {
        typeMistakes(ExpressionTypes { $0.count == 1 ? types($0[0]) : nil })
    }

    /// The same, if members and additional transforms also have types.
    func typeMistakes(_ types: ExpressionTypes) -> [TypeMistake] {
        var check = TypeCheck(tree: tree, source: source, types: types)
        let result = check.types(of: tree.root)
        if result.isDisjoint(with: .boolean), check.mistakes.isEmpty {
            check.note(.notBoolean, "the expression is always \(result.phrase), never true or false", at: 0)
        }
        return check.mistakes
    }
}

/// The types of the values that an expression reads.
struct ExpressionTypes {
    /// The type of an identifier with its member path, without null; nil for any type.
    let path: ([String]) -> ValueTypes?
    /// The type of a transform's result; nil for any type.
    let transform: (String) -> ValueTypes?

    init(_ path: @escaping ([String]) -> ValueTypes?, transform: @escaping (String) -> ValueTypes? = { _ in nil }) {
        (self.path, self.transform) = (path, transform)
    }
}
