import BellwetherJSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension Operator {
    /// The result of the operator for two values. No operand is converted.
    func result(
        _ left: JSONValue, _ right: JSONValue, _ budget: inout Budget, at offset: Int32
    ) throws(Fault) -> JSONValue {
        switch self {
        case .equal: return .bool(try left.isEqual(to: right, &budget, at: offset))
        case .notEqual: return .bool(!(try left.isEqual(to: right, &budget, at: offset)))
        case .isIn:
            if let isFound = try left.isContained(in: right, &budget, at: offset) { return .bool(isFound) }
        case .and: return left.isTruthy ? right : left
        case .or: return left.isTruthy ? left : right
        default:
            if let left = left.double, let right = right.double { return number(left, right) }
            if case .string(let left) = left, case .string(let right) = right {
                try budget.spend(bytes: left.utf8.count + right.utf8.count, at: offset)
                if let value = text(left, right) { return value }
            }
        }
        throw Fault(reason: .unsupportedOperands(self, left.typeName, right.typeName), offset: offset)
    }

    private func number(_ left: Double, _ right: Double) -> JSONValue {
        switch self {
        case .add: .finite(left + right)
        case .subtract: .finite(left - right)
        case .multiply: .finite(left * right)
        case .divide: .finite(left / right)
        case .floorDivide: .finite((left / right).rounded(.down))
        case .remainder: .finite(left.truncatingRemainder(dividingBy: right))
        case .power: .finite(pow(left, right))
        case .less: .bool(left < right)
        case .greater: .bool(left > right)
        case .lessOrEqual: .bool(left <= right)
        case .greaterOrEqual: .bool(left >= right)
        case .equal, .notEqual, .isIn, .and, .or: .null
        }
    }

    /// The result for texts: concatenation, and order by bytes.
    private func text(_ left: String, _ right: String) -> JSONValue? {
        switch self {
        case .add: .string(left + right)
        case .less: .bool(left.precedes(right))
        case .greater: .bool(right.precedes(left))
        case .lessOrEqual: .bool(!right.precedes(left))
        case .greaterOrEqual: .bool(!left.precedes(right))
        default: nil
        }
    }
}
