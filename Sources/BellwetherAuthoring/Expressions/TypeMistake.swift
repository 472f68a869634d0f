public import JEXL

/// A mistake in an expression that follows from the types alone, whatever the values are.
public struct TypeMistake: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// An error, or a comparison with one answer only.
        case mismatch
        /// An integer looked for among floats, or the other way round: `in` holds 1 and 1.0 apart.
        case integerInList
        /// A transform that refuses its arguments.
        case failingCall
        /// The whole expression is never true or false.
        case notBoolean
    }

    public let kind: Kind
    /// A sentence for people.
    public let message: String
    /// In UTF-8 bytes of the expression.
    public let offset: Int
}

extension CompiledExpression {
    /// Every mistake that follows from the types of the identifiers; nil for an identifier that may hold anything.
    public func typeMistakes(_ types: (String) -> ValueTypes?) -> [TypeMistake] {
        withoutActuallyEscaping(types) { types in
            typeMistakes(ExpressionTypes { $0.count == 1 ? types($0[0]) : nil })
        }
    }

    /// The same where members, and transforms that are not the language's own, have types too.
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
    /// The type of an identifier with the members behind it, beside null; nil: any.
    let path: ([String]) -> ValueTypes?
    /// The type of a transform's result; nil: any.
    let transform: (String) -> ValueTypes?

    init(_ path: @escaping ([String]) -> ValueTypes?, transform: @escaping (String) -> ValueTypes? = { _ in nil }) {
        (self.path, self.transform) = (path, transform)
    }
}
