package import BellwetherJSON

extension EventQuery {
    /// Reads subject and arguments (docs/reference/events.md#arguments-of-event-queries). The counting transforms have
    /// the arguments (interval, n[, start]), `eventLastSeen` (interval[, start]), `eventAgo` (from[, to]), and
    /// `eventAfter` (event).
    package init(_ kind: Kind, subject: JSONValue, _ arguments: [JSONValue]) throws(TransformFailure) {
        let allowed = kind.argumentCounts
        guard allowed.contains(arguments.count) else {
            let counts = Set([allowed.lowerBound, allowed.upperBound]).sorted().map(String.init)
            let noun = counts == ["1"] ? "argument" : "arguments"
            throw TransformFailure(message: "\(kind.rawValue) takes \(counts.joined(separator: " or ")) \(noun)")
        }
        let event = try Self.event(subject, kind)
        switch kind {
        case .eventAgo:
            let seconds = try arguments.map { (argument) throws(TransformFailure) in try Self.number(argument, kind) }
            let scope = Scope.seconds(from: seconds[0], to: seconds.count > 1 ? seconds[1] : .infinity)
            self.init(event: event, kind: kind, scope: scope)
        case .eventAfter:
            self.init(event: event, kind: kind, scope: .since(try Self.event(arguments[0], kind)))
        default:
            guard case .string(let unit) = arguments[0], let interval = EventInterval(rawValue: unit) else {
                throw TransformFailure(
                    message: "the interval of \(kind.rawValue) must be Minutes, Hours, Days, Weeks, Months or Years")
            }
            // A number of buckets is truncated, and a negative number becomes 0.
            let numbers = try arguments.dropFirst().map { (argument) throws(TransformFailure) in
                Int(saturating: try Self.number(argument, kind))
            }
            let counts = kind != .eventLastSeen
            self.init(
                event: event, kind: kind, interval: interval, count: counts ? numbers[0] : .max,
                start: numbers.count > (counts ? 1 : 0) ? numbers[numbers.count - 1] : 0)
        }
    }

    private static func event(_ value: JSONValue, _ kind: Kind) throws(TransformFailure) -> Identifier {
        guard case .string(let event) = value else {
            throw TransformFailure(message: "\(kind.rawValue) is for the name of an event, not \(value.typeName)")
        }
        return Identifier(event)
    }

    private static func number(_ argument: JSONValue, _ kind: Kind) throws(TransformFailure) -> Double {
        guard let number = argument.double else {
            throw TransformFailure(message: "\(kind.rawValue) counts in numbers, not \(argument.typeName)")
        }
        return number
    }
}

extension EventQuery.Kind {
    fileprivate var argumentCounts: ClosedRange<Int> {
        switch self {
        case .eventAfter: 1...1
        case .eventAgo, .eventLastSeen: 1...2
        default: 2...3
        }
    }
}

extension Int {
    /// Truncates a number and limits it to 0…`Int.max`, as Rust's `as usize` does.
    init(saturating number: Double) {
        // 2^63 is the smallest float that does not fit.
        self = number >= 0x1p63 ? .max : number > 0 ? Int(number) : 0
    }
}
