/// A binary operator; its raw value is its spelling.
package enum Operator: String, Sendable, BitwiseCopyable {
    case and = "&&"
    case or = "||"
    case equal = "=="
    case notEqual = "!="
    case greaterOrEqual = ">="
    case lessOrEqual = "<="
    case greater = ">"
    case less = "<"
    case isIn = "in"
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case floorDivide = "//"
    case divide = "/"
    case remainder = "%"
    case power = "^"

    /// The precedence; 1 binds least (docs/reference/expressions.md#grammar). Every level is left-associative.
    package var level: Int {
        switch self {
        case .and, .or: 1
        case .equal, .notEqual, .greaterOrEqual, .lessOrEqual, .greater, .less, .isIn: 2
        case .add, .subtract: 3
        case .multiply, .floorDivide, .divide: 4
        case .remainder, .power: 5
        }
    }

    package static let loosest = 1
    /// The level of the operators that a filter may use.
    package static let comparison = 2
}
