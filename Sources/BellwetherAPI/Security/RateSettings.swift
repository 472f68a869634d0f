/// How fast requests may come (settings `limits.rate.*` and `limits.web.*`).
public struct RateSettings: Sendable, Hashable {
    /// So many in a time on average, and so many at once.
    public struct Rate: Sendable, Hashable {
        /// 0: no limit.
        public var count: Int
        public var seconds: Int
        /// At least 1.
        public var burst: Int

        public init(perSecond: Int = 0, burst: Int = 1) {
            (count, seconds, self.burst) = (perSecond, 1, burst)
        }

        public init(perMinute: Int) { (count, seconds, burst) = (perMinute, 60, max(perMinute, 1)) }

        public init(perHour: Int) { (count, seconds, burst) = (perHour, 3600, max(perHour, 1)) }

        /// Nanoseconds for one request.
        var interval: Int64 { Int64(seconds) * 1_000_000_000 / Int64(max(count, 1)) }
    }

    public var token = Rate()
    public var client = Rate()
    public var address = Rate()
    public var webPolls = Rate()
    public var webWrites = Rate()
    public var webRespondents = Rate()
    public var webChats = Rate()
    /// No setting: a person who has a token does not try ten.
    public var signIns = Rate(perMinute: 10)

    public init() {}

    subscript(subject: RateSubject) -> Rate {
        switch subject {
        case .token: token
        case .client: client
        case .address: address
        case .webPolls: webPolls
        case .webWrites: webWrites
        case .webRespondents: webRespondents
        case .webChats: webChats
        case .signIns: signIns
        }
    }
}

/// The subject whose requests are counted together; `WorkerMeter.limited` has an element for each.
enum RateSubject: Int, Sendable, Hashable, CaseIterable {
    case token
    /// One client of one app: its polls, events, answers and what it says of its participation.
    case client
    /// The other end of the connection, where no token was asked for, or none that is known was sent.
    case address
    /// The other end of the connection, of requests with public tokens that only read.
    case webPolls
    /// The same, of those that write.
    case webWrites
    /// The same, of those that begin a response.
    case webRespondents
    /// The same, of messages of chats.
    case webChats
    /// The other end of the connection, of those who sign in and fail.
    case signIns

    var label: String {
        switch self {
        case .token: "token"
        case .client: "client"
        case .address: "address"
        case .webPolls: "web_polls"
        case .webWrites: "web_writes"
        case .webRespondents: "web_respondents"
        case .webChats: "web_chats"
        case .signIns: "sign_ins"
        }
    }

    /// The requests that are counted.
    var what: String {
        switch self {
        case .token, .client, .address, .webPolls: "requests"
        case .webWrites: "writes"
        case .webRespondents: "new responses"
        case .webChats: "messages of chats"
        case .signIns: "failed sign-ins"
        }
    }

    /// The subject of the count.
    var whose: String {
        switch self {
        case .token: "of this token"
        case .client: "of this client"
        case .address: "without a token from this address"
        case .signIns: "from this address"
        case .webPolls, .webWrites, .webRespondents, .webChats: "with a public token from this address"
        }
    }
}
