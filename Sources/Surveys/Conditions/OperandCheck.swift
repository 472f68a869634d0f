internal import BellwetherJSON

/// Warns of operands that make a test useless: a value of a type that the operation does not use, bounds in the wrong
/// order, and empty lists (docs/findings.md#questions).
struct OperandCheck {
    private let test: ConditionTest
    /// The location of the operand in the document.
    private let location: JSONReader

    init(_ test: ConditionTest, at location: JSONReader) { (self.test, self.location) = (test, location) }

    private var result: String { test.isNegated ? "the test always holds" : "the test never holds" }

    private func warn(_ code: String, _ message: String) {
        location.findings.warn(code, at: location.pointer, message)
    }

    /// Checks the operand. The value behind a reference is unknown, and is not checked.
    ///
    /// - Parameter name: the operation as its author writes it.
    func check(as name: String) {
        guard let value = test.operand.written else {
            guard case .none = test.operand, test.operation.needsOperand else { return }
            return warn("no_value", "\"\(name)\" compares with nothing: say with what in \"value\"")
        }
        guard value != .null else {
            return warn("type_mismatch", "\"\(name)\" compares with null, which is no value: \(result)")
        }
        switch test.operation {
        case .between: checkBounds(value)
        case .equalsOrHasMember where value.array != nil:
            warn("type_mismatch", "\"\(name)\" compares with one value, and \(value.text) is a list: \(result)")
        case .isMember, .hasAnyMember: checkList(value, name)
        case .hasAllMembers where value.array == nil: checkList(value, name)
        case .greater, .greaterOrEqual, .less, .lessOrEqual:
            guard test.comparison.number(value) == nil else { return checkVersion(name) }
            warn("type_mismatch", "\(value.text) is no number: \(result)")
        case .startsWith, .endsWith:
            guard value.string == nil else { return }
            warn("type_mismatch", "\"\(name)\" compares with a text, and \(value.text) is none: \(result)")
        case .version:
            guard !(value.string.map(ConditionTest.VersionOrder.isVersion) ?? false) else { return }
            warn("type_mismatch", "\(value.text) is no version such as \"1.10.2\": \(result)")
        default: break
        }
    }

    /// Warns if a comparison of numbers reads a version such as 10.0.1, which is no number. The advice is a comparison
    /// of versions, if the dialect has one.
    private func checkVersion(_ name: String) {
        guard test.reference.root == .attributes, let attribute = test.reference.path.last,
            test.reference.path.count == 1, ["app_version", "os_version"].contains(attribute)
        else { return }
        let instead = test.comparison == .exactTexts ? "" : ": \"version_\(name)\" compares versions"
        warn("version_order", "\"\(name)\" compares numbers, and a version such as \"10.0.1\" is none\(instead)")
    }

    private func checkList(_ value: JSONValue, _ name: String) {
        guard let values = value.array else {
            return warn("type_mismatch", "\"\(name)\" compares with a list, and \(value.text) is none: \(result)")
        }
        guard values.isEmpty else { return }
        if test.isNegated {
            warn("always_true", "every value is outside of an empty list")
        } else {
            warn("never_true", "no value is in an empty list")
        }
    }

    private func checkBounds(_ value: JSONValue) {
        let bounds = value.array ?? []
        let numbers = bounds.map(test.comparison.number)
        let areBounds = zip(bounds, numbers).allSatisfy { $0 == .null || $1 != nil }
        guard bounds.count == 2, areBounds, numbers.contains(where: { $0 != nil }) else {
            return warn(
                "type_mismatch",
                "\(value.text) are no bounds: they are [low, high], two numbers, of which one may be null")
        }
        guard let low = numbers[0], let high = numbers[1], low > high else { return }
        warn("never_true", "nothing is between \(bounds[0].text) and \(bounds[1].text): swap them")
    }
}

extension ConditionTest.Operand {
    /// The value in the document; nil if there is none, or if the operand is a reference.
    fileprivate var written: JSONValue? { if case .value(let value) = self { value } else { nil } }
}

extension ConditionTest.Operation {
    fileprivate var needsOperand: Bool {
        switch self {
        case .exists, .isEmpty: false
        default: true
        }
    }
}
