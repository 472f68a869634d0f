/// How fast requests may come (settings `limits.rate.*`).
public struct RateSettings: Sendable, Hashable {
    /// So many a second on average, and so many at once.
    public struct Rate: Sendable, Hashable {
        /// 0: no limit.
        public var perSecond: Int
        /// At least 1.
        public var burst: Int

        public init(perSecond: Int = 0, burst: Int = 1) {
            self.perSecond = perSecond
            self.burst = burst
        }
    }

    public var token = Rate()
    public var client = Rate()
    public var address = Rate()

    public init() {}

    subscript(subject: RateSubject) -> Rate {
        switch subject {
        case .token: token
        case .client: client
        case .address: address
        }
    }
}

/// Whose requests are counted together; `WorkerMeter.limited` has a place for each.
enum RateSubject: Int, Sendable, Hashable, CaseIterable {
    case token
    /// One client of one app: its polls, events, answers and what it says of its participation.
    case client
    /// The other end of the connection, where no token was asked for, or none that is known was sent.
    case address

    var label: String { "\(self)" }
}
