public import BellwetherBase
public import BellwetherJSON

/// One message of a conversation.
public struct ChatMessage: Sendable, Hashable {
    public enum Role: String, Sendable, Hashable {
        /// The author is the flow, or the owner's server.
        case ai
        case user
        /// An error. It is shown, but is not part of the conversation.
        case system
    }

    public let id: Identifier
    public let role: Role
    public let content: String
    /// `{type, url, alt_text, poster}`.
    public let media: JSONObject?
    /// The wait before the message is shown, which simulates typing.
    public let delayMilliseconds: Int64?
    public fileprivate(set) var at: Timestamp

    init(
        _ role: Role, id: Identifier, _ content: String, media: JSONObject? = nil, delayMilliseconds: Int64? = nil,
        at: Timestamp
    ) {
        (self.role, self.id, self.content, self.media) = (role, id, content, media)
        (self.delayMilliseconds, self.at) = (delayMilliseconds, at)
    }

    /// The message in the form for the owner's server.
    var plain: JSONObject {
        [
            "role": .string(role.rawValue), "content": .string(content), "id": .string(id),
            "timestamp": .string(at.rfc3339),
        ]
    }

    public var json: JSONValue {
        var json = plain
        json["media"] = media.map { .object($0) }
        json["delay_ms"] = delayMilliseconds.map { .integer($0) }
        return .object(json)
    }

    /// Reads a stored message; nil for JSON that no version of the daemon has written.
    init?(_ json: JSONValue) {
        guard let id = json.object?["id"]?.identifier, let content = json.object?["content"]?.string,
            let role = json.object?["role"]?.string.flatMap(Role.init),
            let at = json.object?["timestamp"]?.string.flatMap({ Timestamp(rfc3339: $0) })
        else { return nil }
        self.init(
            role, id: id, content, media: json.object?["media"]?.object,
            delayMilliseconds: json.object?["delay_ms"]?.integer, at: at)
    }

    private static let mediaTypes = ["image", "lottie", "link"]

    /// Reads media; nil for other types, and for addresses that no page can load.
    static func media(_ object: JSONObject) -> JSONObject? {
        guard let type = object["type"]?.string, mediaTypes.contains(type), let url = address(object["url"])
        else { return nil }
        var media: JSONObject = ["type": .string(type), "url": url]
        media["alt_text"] = object["alt_text"]?.string.map { .string($0) }
        media["poster"] = address(object["poster"])
        return media
    }

    private static func address(_ value: JSONValue?) -> JSONValue? {
        guard let url = value?.string, url.utf8.count <= 2000, url.hasPrefix("https://") || url.hasPrefix("http://")
        else { return nil }
        return .string(url)
    }
}

/// The reason why a conversation has ended.
public enum ChatCompletion: String, Sendable, Hashable, CaseIterable {
    case ai = "ai_completed"
    case maximumTurns = "max_turns"
    case user = "user_completed"
    case skipped
}

/// The conversation of one step (docs/reference/flows.md#chats).
public struct ChatState: Sendable, Hashable {
    /// The maximum number of messages of a conversation.
    public static let maximumMessages = 200

    public internal(set) var messages: [ChatMessage] = []
    /// The number of the respondent's messages.
    public internal(set) var turn = 0
    public internal(set) var completion: ChatCompletion?
    public internal(set) var quickReplies: [ChatQuickReply] = []
    /// The rating, from 1 to 5, or to the maximum of the prompt.
    public internal(set) var rating: Int64?
    /// The data of the owner's server, which is sent back with each message.
    var data: JSONObject = [:]
    /// The turns that have no reply yet, with the idempotency key of the request.
    var pending: [Int: Identifier] = [:]
    let startedAt: Timestamp
    var completedAt: Timestamp?

    init(at now: Timestamp) { startedAt = now }

    /// Appends a message. Each message is later than the one before it. Messages above the maximum are dropped.
    mutating func append(_ message: ChatMessage) {
        guard messages.count < Self.maximumMessages else { return }
        var message = message
        if let last = messages.last?.at.milliseconds, message.at.milliseconds <= last {
            message.at = Timestamp(milliseconds: last + 1)
        }
        messages.append(message)
    }

    /// The answer of the step (docs/reference/flows.md#chats).
    var answer: JSONObject {
        var answer: JSONObject = [
            "transcript": .array(messages.map(\.json)), "user_turn_count": .integer(Int64(turn)),
            "total_message_count": .integer(Int64(messages.count)), "duration_ms": .integer(duration),
        ]
        answer["completion_reason"] = completion.map { .string($0.rawValue) }
        answer["rating"] = rating.map { .integer($0) }
        if !data.isEmpty { answer["webhook_data"] = .object(data) }
        return answer
    }

    private var duration: Int64 { max(0, (completedAt ?? startedAt).milliseconds - startedAt.milliseconds) }

    /// The greatest rating that the respondent can give now; nil if there is no prompt, or if a rating was given.
    func askedRating(_ config: ChatConfig) -> Int? { rating == nil ? config.maximumRating(upTo: turn) : nil }

    /// The view of the conversation for clients.
    func view(_ config: ChatConfig) -> JSONObject {
        let maximumRating = askedRating(config)
        var view: JSONObject = [
            "messages": .array(messages.map(\.json)), "quick_replies": .array(quickReplies.map(\.json)),
            "turn": .integer(Int64(turn)), "remaining_turns": .integer(Int64(max(0, config.maximumTurns - turn))),
            "completed": completion.map { .string($0.rawValue) } ?? .null,
            "rating_prompt": .bool(maximumRating != nil),
        ]
        view["max_rating"] = maximumRating.map { .integer(Int64($0)) }
        return view
    }
}

/// The stored form: the answer so far, and the parts of the state that the answer does not contain.
extension ChatState {
    var json: JSONValue {
        var json = answer
        json["started_at"] = .integer(startedAt.milliseconds)
        json["quick_replies"] = .array(quickReplies.map(\.json))
        json["pending"] = .object(
            JSONObject(pending.sorted { $0.key < $1.key }.map { ("\($0.key)", .string($0.value)) }))
        return .object(json)
    }

    /// Restores the conversation of a respondent who has come back to the step. It reads the step's answer, to which a
    /// hook may have added any members. Nil for an answer without a conversation.
    init?(answer: JSONObject, viewedAt: Timestamp) {
        let own = ["transcript", "user_turn_count", "completion_reason", "duration_ms", "rating", "webhook_data"]
        self.init(JSONObject(answer.filter { own.contains($0.key) }), viewedAt: viewedAt)
    }

    /// Reads a stored state; nil for JSON that no version of the daemon has written.
    init?(_ json: JSONObject, viewedAt: Timestamp) {
        guard let transcript = json["transcript"]?.array, let turn = json["user_turn_count"]?.integer,
            (0...Int64(Self.maximumMessages)).contains(turn)
        else { return nil }
        let messages = transcript.prefix(Self.maximumMessages).compactMap(ChatMessage.init)
        self.init(at: json["started_at"]?.integer.map { Timestamp(milliseconds: $0) } ?? messages.first?.at ?? viewedAt)
        (self.messages, self.turn) = (messages, Int(turn))
        completion = json["completion_reason"]?.string.flatMap(ChatCompletion.init)
        if completion != nil, let duration = json["duration_ms"]?.integer, (0...Self.maximumDuration).contains(duration)
        {
            completedAt = Timestamp(milliseconds: startedAt.milliseconds + duration)
        }
        quickReplies = json["quick_replies"]?.array?.compactMap { ChatQuickReply($0) } ?? []
        rating = json["rating"]?.integer
        data = json["webhook_data"]?.object ?? [:]
        for turn in json["pending"]?.object ?? [:] {
            if let number = Int(turn.key), let key = turn.value.identifier { pending[number] = key }
        }
    }

    /// A hundred years in milliseconds.
    private static let maximumDuration: Int64 = 3_155_760_000_000
}
