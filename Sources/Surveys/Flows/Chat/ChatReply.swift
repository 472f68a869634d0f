internal import BellwetherJSON

/// The reply of an owner's server to a message of a chat (docs/reference/flows.md#chats).
public struct ChatReply: Sendable, Hashable {
    struct Message: Sendable, Hashable {
        let content: String
        let media: JSONObject?
        let delayMilliseconds: Int64?
    }

    let messages: [Message]
    /// The quick replies; nil: the flow's own are offered.
    let quickReplies: [ChatQuickReply]?
    let data: JSONObject
    let isLast: Bool
    let completionMessage: String?
    /// Whether the reply lacks the array `messages`. The respondent then gets no message.
    public let isMisshapen: Bool

    private static let maximumMessages = 20
    private static let maximumContent = 10_000
    private static let dataBytes = 65_536

    /// Creates a reply with one message only.
    init(saying text: String) {
        messages = [Message(content: text, media: nil, delayMilliseconds: nil)]
        (quickReplies, data, isLast, completionMessage, isMisshapen) = (nil, [:], false, nil, false)
    }

    /// Reads a reply. Throws if the body is no reply, or if it reports an error.
    public init(_ body: [UInt8]) throws(ChatFailure) {
        guard let object = (try? JSONValue(parsing: body, limits: .standard))?.object else {
            throw ChatFailure("the reply is no JSON object", body: body)
        }
        let action = object["action"]?.string.flatMap(Action.init)
        if action == .error { throw ChatFailure("the reply reports an error", body: body) }
        let list = object["messages"]?.array
        isMisshapen = list == nil
        messages = (list ?? []).prefix(Self.maximumMessages).compactMap(Self.message)
        quickReplies = object["quick_replies"]?.array.map { replies in
            replies.prefix(ChatConfig.maximumReplies).compactMap { ChatQuickReply($0) }
        }
        data = object["data"]?.object ?? [:]
        guard JSONValue.object(data).encoded.count <= Self.dataBytes else {
            throw ChatFailure("the reply's data has more than 64 KiB", body: body)
        }
        isLast = object["force_complete"]?.bool == true || action == .last
        completionMessage = object["completion_message"]?.string
    }

    /// Reports the members of a reply that have the wrong type. Other faults are left to the reader.
    static func checkTypes(of reply: JSONReader) {
        guard reply.object() != nil else { return }
        _ = reply.optional("action")?.choice(Action.self)
        for message in reply.optional("messages")?.elements() ?? [] where message.object() != nil {
            _ = message.required("content")?.string()
            _ = message.optional("delay_ms")?.number()
            guard let media = message.optional("media"), media.object() != nil else { continue }
            for key in ["type", "url", "alt_text", "poster"] { _ = media.optional(key)?.string() }
        }
        _ = reply.optional("quick_replies")?.elements()?.compactMap(ChatQuickReply.init)
        _ = reply.optional("force_complete")?.bool()
        _ = reply.optional("completion_message")?.string()
        _ = reply.optional("data")?.object()
    }

    private enum Action: String, CaseIterable {
        case reply
        case last = "reply_and_complete"
        case error
    }

    /// Reads a message; nil if it has no text, which each message needs.
    private static func message(_ json: JSONValue) -> Message? {
        guard let content = json.object?["content"]?.string else { return nil }
        let delay = json.object?["delay_ms"]?.double.map { Int64(min(max($0, 0), 60_000)) }
        return Message(
            content: String(content.unicodeScalars.prefix(maximumContent)),
            media: json.object?["media"]?.object.flatMap(ChatMessage.media), delayMilliseconds: delay)
    }
}

/// The reason why a message of a chat has no reply.
public struct ChatFailure: Error, Sendable, Hashable {
    public let message: String
    public let httpStatus: Int?
    /// The first 500 characters of the server's response.
    public let responseBody: String?

    public init(_ message: String, httpStatus: Int? = nil, body: [UInt8]? = nil) {
        (self.message, self.httpStatus) = (message, httpStatus)
        responseBody = body.map { String(String(decoding: $0.prefix(4000), as: UTF8.self).prefix(500)) }
    }
}
