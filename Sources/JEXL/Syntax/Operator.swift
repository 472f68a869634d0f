/// A binary operator; its raw value is its spelling.
enum Operator: String, Sendable {
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

    /// How tightly it binds, 1 the loosest (docs/reference/expressions.md#grammar). Every level is left-associative.
    var level: Int {
        switch self {
        case .and, .or: 1
        case .equal, .notEqual, .greaterOrEqual, .lessOrEqual, .greater, .less, .isIn: 2
        case .add, .subtract: 3
        case .multiply, .floorDivide, .divide: 4
        case .remainder, .power: 5
        }
    }

    static let loosest = 1
    /// The level of the operators that a filter may use.
    static let comparison = 2
}
