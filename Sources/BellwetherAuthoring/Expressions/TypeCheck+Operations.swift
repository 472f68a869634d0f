import BellwetherJSON
internal import JEXL

extension TypeCheck {
    /// The types that an operator's result may have.
    mutating func operation(_ binary: Operator, _ left: Side, _ right: Side, _ step: TypedStep) -> ValueTypes {
        switch binary {
        case .and, .or: return left.types.union(right.types)
        case .equal, .notEqual:
            if left.types.isDisjoint(with: right.types) {
                let answer = binary == .equal ? "never" : "always"
                note(
                    .mismatch, step,
                    "\(left.known.phrase) and \(right.known.phrase) are never equal, so this is \(answer) true")
            }
            return .boolean
        case .isIn:
            membership(left, right, step)
            return .boolean
        case .less, .greater, .lessOrEqual, .greaterOrEqual:
            if left.known.intersection(right.known).isDisjoint(with: [.number, .string]) {
                note(.mismatch, step, Self.refusal(binary, "two numbers or two strings", left, right))
            }
            return .boolean
        case .add:
            let common = left.known.intersection(right.known).intersection([.number, .string])
            guard common.isEmpty else { return common.union(.null) }
            note(.mismatch, step, Self.refusal(binary, "two numbers or two strings", left, right))
            return .any
        case .subtract, .multiply, .floorDivide, .divide, .remainder, .power:
            let common = left.known.intersection(right.known).intersection(.number)
            guard common.isEmpty else { return [.number, .null] }
            note(.mismatch, step, Self.refusal(binary, "two numbers", left, right))
            return .any
        }
    }

    private static func refusal(_ binary: Operator, _ wanted: String, _ left: Side, _ right: Side) -> String {
        "\"\(binary.rawValue)\" takes \(wanted), not \(left.known.phrase) and \(right.known.phrase)"
    }

    /// `in` finds a text in a text, a key in an object, or any value in an array.
    private mutating func membership(_ left: Side, _ right: Side, _ step: TypedStep) {
        let isText = left.known.contains(.string) && !right.known.isDisjoint(with: [.string, .object])
        guard right.known.contains(.array) || isText else {
            let reason =
                left.known.contains(.number) && right.known == .number
                ? "a number is never in a number"
                : "\"in\" looks in an array, or for a string in a string or an object, not for \(left.known.phrase)"
                    + " in \(right.known.phrase)"
            return note(.mismatch, step, reason)
        }
        if let literal = left.literal, literal.isWholeNumber, right.isAttribute, right.known == .array {
            note(
                .integerInList, step,
                "a number in an expression is a float, and an integer of the list never equals it here")
        } else if left.isAttribute, left.known == .number, let list = right.literal?.array,
            list.contains(where: \.isWholeNumber)
        {
            note(
                .integerInList, step,
                "the numbers of the list are floats, and an integer never equals them here; compare with \"==\"")
        }
    }

    /// The types that a transform's result may have.
    mutating func call(_ transform: Transform, _ left: Side, _ arguments: ElementRange, _ step: TypedStep) -> ValueTypes
    {
        let sides = tree.items[arguments.range].map { side(of: $0) }
        switch transform {
        case .versionCompare:
            require(left, .string, "versionCompare is for a string", step)
            if let other = sides.first {
                require(other, .string, "versionCompare compares with a string", step)
            } else {
                note(.failingCall, step, "versionCompare takes the version to compare with")
            }
            return .number
        case .bucketSample:
            for side in sides.prefix(3) { require(side, .number, "bucketSample counts in numbers", step) }
            // A wrong type already has a finding.
            if sides.allSatisfy({ $0.known.contains(.number) }) {
                read(sides, step) { (values) throws(TransformFailure) in _ = try BucketSample.buckets(values) }
            }
            return .boolean
        case .event(let kind):
            require(left, .string, "\(kind.rawValue) is for the name of an event", step)
            if kind == .eventAfter, let other = sides.first, !other.known.contains(.string) {
                require(other, .string, "eventAfter compares with the name of an event", step)
                return kind.types
            }
            var query: EventQuery?
            read(sides, step) { (values) throws(TransformFailure) in
                query = try EventQuery(kind, subject: "event", values)
            }
            if let query { check(query, at: step.first) }
            return kind.types
        case .other: return .any
        }
    }

    /// Reports a range of seconds in which nothing is.
    mutating func check(_ query: EventQuery, at index: NodeIndex) {
        guard case .seconds(let from, let to) = query.scope, to <= max(0, from) else { return }
        note(
            .neverTrue,
            "eventAgo from \(Self.text(from)) to \(Self.text(to)) seconds is never true: "
                + "the second number must be above 0, and greater than the first",
            at: Int(tree.nodes[Int(index)].offset))
    }

    private mutating func require(_ side: Side, _ types: ValueTypes, _ rule: String, _ step: TypedStep) {
        if side.known.isDisjoint(with: types) { note(.mismatch, step, "\(rule), not \(side.known.phrase)") }
    }

    /// Reads literal arguments in the same way as the call.
    private mutating func read(
        _ sides: [Side], _ step: TypedStep, _ read: ([JSONValue]) throws(TransformFailure) -> Void
    ) {
        let values = sides.compactMap(\.literal)
        guard values.count == sides.count else { return }
        do throws(TransformFailure) {
            try read(values)
        } catch {
            note(.failingCall, step, error.message)
        }
    }
}

extension EventQuery.Kind {
    /// The types of the result.
    var types: ValueTypes { isBoolean ? .boolean : [.number, .null] }
}

extension JSONValue {
    fileprivate var isWholeNumber: Bool { double.map { $0.rounded() == $0 } ?? false }
}
