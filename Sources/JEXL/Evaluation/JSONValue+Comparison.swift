import BellwetherJSON

extension JSONValue {
    /// The operator `==`. Numbers of either kind are equal if they differ by less than a millionth. Values of different
    /// types are not equal. Arrays and objects are compared strictly.
    func isEqual(to other: JSONValue, _ budget: inout Budget, at offset: Int32) throws(Fault) -> Bool {
        if let left = double, let right = other.double { return (left - right).magnitude < 0.000001 }
        return try isStrictlyEqual(to: other, &budget, at: offset)
    }

    /// JSON equality, where the integer 1 is not the float 1.0.
    private func isStrictlyEqual(to other: JSONValue, _ budget: inout Budget, at offset: Int32) throws(Fault) -> Bool {
        switch (self, other) {
        case (.string(let left), .string(let right)):
            guard left.utf8.count == right.utf8.count else { return false }
            try budget.spend(bytes: left.utf8.count, at: offset)
            return left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return false }
            for (one, another) in zip(left, right) {
                try budget.spend(at: offset)
                guard try one.isStrictlyEqual(to: another, &budget, at: offset) else { return false }
            }
            return true
        case (.object(let left), .object(let right)):
            guard left.count == right.count else { return false }
            for member in left {
                try budget.spend(at: offset)
                guard let another = right[member.key],
                    try member.value.isStrictlyEqual(to: another, &budget, at: offset)
                else { return false }
            }
            return true
        default: return self == other
        }
    }

    /// The operator `in`: a text in a text, a value in an array, or a key in an object. Nil for other operands.
    func isContained(in other: JSONValue, _ budget: inout Budget, at offset: Int32) throws(Fault) -> Bool? {
        switch (self, other) {
        case (.string(let part), .string(let whole)):
            return try part.withBytes { (part) throws(Fault) in
                try whole.withBytes { (whole) throws(Fault) in try budget.contains(part, in: whole, at: offset) }
            }
        case (_, .array(let values)):
            for value in values {
                try budget.spend(at: offset)
                if try isStrictlyEqual(to: value, &budget, at: offset) { return true }
            }
            return false
        case (.string(let key), .object(let members)): return members[key] != nil
        default: return double == nil || other.double == nil ? nil : false
        }
    }
}

extension Budget {
    /// Whether bytes occur in other bytes. Each comparison is counted as work, so that no text can make the search
    /// quadratic.
    mutating func contains(_ part: Span<UInt8>, in whole: Span<UInt8>, at offset: Int32) throws(Fault) -> Bool {
        guard !part.isEmpty else { return true }
        guard part.count <= whole.count else { return false }
        var compared = 0
        for start in 0...whole.count - part.count {
            var length = 0
            while length < part.count, whole[start + length] == part[length] { length += 1 }
            if length == part.count { return true }
            compared += length + 1
            if compared >= 4096 {
                try spend(bytes: compared, at: offset)
                compared = 0
            }
        }
        return false
    }
}
