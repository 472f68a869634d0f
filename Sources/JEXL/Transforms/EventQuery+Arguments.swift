package import BellwetherJSON

extension EventQuery {
    /// Reads subject and arguments (docs/reference/events.md#arguments-of-event-queries). The counting transforms have
    /// the arguments (interval, n[, start]), and `eventLastSeen` has (interval[, start]).
    package init(_ kind: Kind, subject: JSONValue, _ arguments: [JSONValue]) throws(TransformFailure) {
        let counts = kind != .eventLastSeen
        let allowed = counts ? 2...3 : 1...2
        guard allowed.contains(arguments.count) else {
            throw TransformFailure(
                message: "\(kind.rawValue) takes \(allowed.lowerBound) or \(allowed.upperBound) arguments")
        }
        guard case .string(let event) = subject else {
            throw TransformFailure(message: "\(kind.rawValue) is for the name of an event, not \(subject.typeName)")
        }
        guard case .string(let unit) = arguments[0], let interval = EventInterval(rawValue: unit) else {
            throw TransformFailure(
                message: "the interval of \(kind.rawValue) must be Minutes, Hours, Days, Weeks, Months or Years")
        }
        let numbers = try arguments.dropFirst().map { (argument) throws(TransformFailure) in
            try Self.bucketCount(argument, kind)
        }
        self.init(
            event: Identifier(event), kind: kind, interval: interval, count: counts ? numbers[0] : .max,
            start: numbers.count > (counts ? 1 : 0) ? numbers[numbers.count - 1] : 0)
    }

    /// Reads a number of buckets. It is truncated, and a negative number becomes 0.
    private static func bucketCount(_ argument: JSONValue, _ kind: Kind) throws(TransformFailure) -> Int {
        guard let number = argument.double else {
            throw TransformFailure(message: "\(kind.rawValue) counts in numbers, not \(argument.typeName)")
        }
        return Int(saturating: number)
    }
}

extension Int {
    /// Truncates a number and limits it to 0…`Int.max`, as Rust's `as usize` does.
    init(saturating number: Double) {
        // 2^63 is the smallest float that does not fit.
        self = number >= 0x1p63 ? .max : number > 0 ? Int(number) : 0
    }
}
