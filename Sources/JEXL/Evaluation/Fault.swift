/// The error of an evaluation. It is small, because `||` and `?:` discard most errors. The sentence is created only for
/// errors that reach the caller.
package struct Fault: Error {
    let reason: Reason
    let offset: Int32

    enum Reason {
        case undefinedIdentifier(String)
        /// The operands' JSON type names.
        case unsupportedOperands(Operator, String, String)
        case unknownTransform(String)
        case indexType(String)
        case filterSubject(String)
        case duplicateKey(String)
        case transform(String)
        /// The value of the segment is neither true nor false.
        case segment(String)
        case outOfSteps
    }

    var error: JEXLError {
        let offset = Int(offset)
        return switch reason {
        case .undefinedIdentifier(let name):
            JEXLError(kind: .undefinedIdentifier, message: "the identifier \"\(name)\" is not defined", offset: offset)
        case .unsupportedOperands(let binary, let left, let right):
            JEXLError(
                kind: .unsupportedOperands,
                message: "\"\(binary.rawValue)\" cannot be applied to \(left) and \(right)", offset: offset)
        case .unknownTransform(let name):
            JEXLError(kind: .unknownTransform, message: "there is no transform \"\(name)\"", offset: offset)
        case .indexType(let type):
            JEXLError(kind: .indexType, message: "an index must be a number or a string, not \(type)", offset: offset)
        case .filterSubject(let type):
            JEXLError(kind: .filterSubject, message: "only an array can be filtered, not \(type)", offset: offset)
        case .duplicateKey(let key):
            JEXLError(kind: .duplicateKey, message: "the object has the key \"\(key)\" twice", offset: offset)
        case .transform(let message): JEXLError(kind: .transform, message: message, offset: offset)
        case .segment(let name):
            JEXLError(kind: .notBoolean, message: "segment \(name) is neither true nor false", offset: offset)
        case .outOfSteps:
            JEXLError(kind: .limit, message: "the evaluation takes too many steps", offset: offset)
        }
    }

    package var isOutOfSteps: Bool { if case .outOfSteps = reason { true } else { false } }
}

/// The steps that an evaluation may still use. When they are used up, every further step throws, so that no `||` can
/// discard the error.
package struct Budget {
    private(set) var stepsLeft: Int

    package init(_ limits: JEXLLimits) { stepsLeft = limits.steps }

    /// Whether the budget is used up, so that it may have been exceeded.
    var isSpent: Bool { stepsLeft == 0 }

    mutating func spend(_ steps: Int = 1, at offset: Int32) throws(Fault) {
        stepsLeft &-= steps
        if stepsLeft < 0 {
            stepsLeft = 0
            throw Fault(reason: .outOfSteps, offset: offset)
        }
    }

    /// Subtracts the cost of work that grows with a text.
    mutating func spend(bytes: Int, at offset: Int32) throws(Fault) {
        if bytes >= 64 { try spend(bytes >> 6, at: offset) }
    }
}
