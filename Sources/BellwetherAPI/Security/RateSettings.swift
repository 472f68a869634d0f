/// The rates of requests (settings `limits.rate.*` and `limits.web.*`).
public struct RateSettings: Sendable, Hashable {
    /// The average number of requests in a period, and the number of requests allowed at once.
    public struct Rate: Sendable, Hashable {
        /// 0 means that there is no limit.
        public var count: Int
        public var seconds: Int
        /// The number of requests allowed at once, at least 1.
        public var burst: Int

        public init(perSecond: Int = 0, burst: Int = 1) {
            (count, seconds, self.burst) = (perSecond, 1, burst)
        }

        public init(perMinute: Int) { (count, seconds, burst) = (perMinute, 60, max(perMinute, 1)) }

        public init(perHour: Int) { (count, seconds, burst) = (perHour, 3600, max(perHour, 1)) }

        /// The nanoseconds for one request.
        var interval: Int64 { Int64(seconds) * 1_000_000_000 / Int64(max(count, 1)) }
    }

    public var token = Rate()
    public var client = Rate()
    public var address = Rate()
    public var webPolls = Rate()
    public var webWrites = Rate()
    public var webRespondents = Rate()
    public var webChats = Rate()
    /// This rate has no setting: a person with a valid token does not need ten attempts.
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
    /// One client of one app: its polls, events, answers and participation.
    case client
    /// The peer's address, for requests on public routes or without a known token.
    case address
    /// The peer's address, for requests with public tokens that only read.
    case webPolls
    /// The peer's address, for requests with public tokens that write.
    case webWrites
    /// The peer's address, for requests with public tokens that begin a response.
    case webRespondents
    /// The peer's address, for messages of chats with public tokens.
    case webChats
    /// The peer's address, for failed sign-ins.
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

    /// The words for the counted requests.
    var what: String {
        switch self {
        case .token, .client, .address, .webPolls: "requests"
        case .webWrites: "writes"
        case .webRespondents: "new responses"
        case .webChats: "messages of chats"
        case .signIns: "failed sign-ins"
        }
    }

    /// The words for the subject of the count.
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
