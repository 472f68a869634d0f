internal import BellwetherBase
public import BellwetherJSON

/// The `chat_config` of a step: the length of a conversation, and the flow's own messages in it
/// (docs/reference/flows.md#chats).
struct ChatConfig: Sendable {
    /// A message of the flow after a turn. After turn 0 it is a greeting.
    struct ScriptedMessage: Sendable {
        let id: Identifier
        let turn: Int
        let content: String
        let media: JSONObject?
        let delayMilliseconds: Int64?
    }

    /// An action after a turn.
    enum TurnAction: Sendable {
        /// A request for a rating, with the greatest possible rating.
        case ratingPrompt(Int)
        case quickReplies([ChatQuickReply])
        case message(ScriptedMessage)
    }

    static let maximumReplies = 20
    private static let maximumContent = 10_000
    private static let defaultRating = 5

    var maximumTurns = 5
    var minimumTurns = 1
    /// Whether the conversation ends with the last turn.
    var isHardLimit = true
    /// The maximum length of a respondent's message, in Unicode scalars.
    var inputLength = 4000
    var messages: [ScriptedMessage] = []
    var quickReplies: [(reply: ChatQuickReply, turn: Int?)] = []
    var actions: [(turn: Int, action: TurnAction)] = []
    var completionMessage: String?

    /// Reads the settings. A key with a fault keeps its default. The reader's findings list all faults.
    init(_ reader: JSONReader) {
        guard reader.object() != nil else { return }
        let turns = reader.optional("max_user_turns")?.integer(in: 1...100)
        maximumTurns = turns.map { Int($0) } ?? maximumTurns
        let least = reader.optional("min_user_turns")
        minimumTurns = least?.integer(in: 0...100).map { Int($0) } ?? min(minimumTurns, maximumTurns)
        if minimumTurns > maximumTurns { least?.finding("range", "min_user_turns is greater than max_user_turns") }
        if let limit = reader.optional("turn_limit_behavior") {
            BlockKeys.checkWord(limit, ["hard", "soft"])
            isHardLimit = limit.value.string != "soft"
        }
        inputLength = reader.optional("input_max_length")?.integer(in: 1...10_000).map { Int($0) } ?? inputLength
        completionMessage = reader.optional("completion_message").flatMap(Self.completion)
        messages = Self.elements(reader, "auto_messages").enumerated().compactMap { Self.message($1, "auto_\($0)") }
        quickReplies = Self.elements(reader, "quick_replies").compactMap { element in
            let turn = element.value.object == nil ? nil : element.optional("show_at_turn")?.integer(in: 0...100)
            return ChatQuickReply(element).map { ($0, turn.map { Int($0) }) }
        }
        readActions(Self.elements(reader, "turn_actions"))
    }

    private static func elements(_ reader: JSONReader, _ key: String) -> [JSONReader] {
        guard let list = reader.optional(key), let elements = list.elements() else { return [] }
        if elements.count > 100 { list.finding("length", "\(key) has at most 100 elements") }
        return elements
    }

    /// Reads a text, or `{content, delay_ms}`.
    private static func completion(_ reader: JSONReader) -> String? {
        guard reader.value.object != nil else { return reader.string(length: 0...maximumContent) }
        return reader.required("content")?.string(length: 0...maximumContent)
    }

    private static func message(_ reader: JSONReader, _ defaultID: Identifier) -> ScriptedMessage? {
        guard reader.object() != nil else { return nil }
        let content = reader.required("content")?.string(length: 0...maximumContent)
        let id = reader.optional("id").map { $0.identifier(length: 1...200) } ?? defaultID
        let turn = reader.optional("turn").map { $0.integer(in: 0...100) } ?? 0
        let delay = reader.optional("delay_ms")?.integer(in: 0...60_000)
        guard let content, let id, let turn else { return nil }
        let media = reader.optional("media").flatMap { ChatMessage.media($0.object() ?? [:]) }
        return ScriptedMessage(id: id, turn: Int(turn), content: content, media: media, delayMilliseconds: delay)
    }

    private mutating func readActions(_ elements: [JSONReader]) {
        for element in elements where element.object() != nil {
            guard let turn = element.required("turn")?.integer(in: 0...100).map({ Int($0) }),
                let kind = element.required("type"), let name = kind.string()
            else { continue }
            let config = element.optional("config")
            switch name {
            case "rating_prompt":
                let stars = config?.optional("max_rating")?.integer(in: 2...10)
                actions.append((turn, .ratingPrompt(stars.map { Int($0) } ?? Self.defaultRating)))
            case "quick_reply_inject":
                let replies = config.map { Self.elements($0, "quick_replies") } ?? []
                actions.append((turn, .quickReplies(replies.compactMap(ChatQuickReply.init))))
            case "auto_message":
                guard let config, let message = Self.message(config, "action_\(turn)") else { continue }
                actions.append((turn, .message(message)))
            default:
                kind.findings.warn(
                    "unknown_action", at: kind.pointer,
                    "the turn action \(name) is unknown; nothing is done. The types are rating_prompt, "
                        + "quick_reply_inject, auto_message")
            }
        }
    }

    /// The flow's own messages after a turn.
    func script(after turn: Int) -> [ScriptedMessage] {
        messages.filter { $0.turn == turn }
            + actions.compactMap { action in
                guard action.turn == turn, case .message(let message) = action.action else { return nil }
                return message
            }
    }

    /// The quick replies that are offered after a turn. The flow's own replies without `show_at_turn` are always
    /// included. Its replies for this turn are replaced if the owner's server has sent its own in `reply`.
    func offers(after turn: Int, reply: [ChatQuickReply]? = nil) -> [ChatQuickReply] {
        let own = quickReplies.filter { $0.turn == nil || $0.turn == turn && reply == nil }.map(\.reply)
        let added = actions.flatMap { action -> [ChatQuickReply] in
            guard action.turn == turn, case .quickReplies(let replies) = action.action else { return [] }
            return replies
        }
        return own + (reply ?? []) + added
    }

    /// The greatest possible rating after a turn, from the newest prompt; nil if there was no prompt.
    func maximumRating(upTo turn: Int) -> Int? {
        let prompts = actions.compactMap { action -> (turn: Int, maximum: Int)? in
            guard action.turn <= turn, case .ratingPrompt(let maximum) = action.action else { return nil }
            return (action.turn, maximum)
        }
        return prompts.max { $0.turn < $1.turn }?.maximum
    }
}

/// A text that the respondent can send with one press.
public struct ChatQuickReply: Sendable, Hashable {
    public let id: Identifier
    public let text: String

    /// Reads a quick reply. A text is a reply with this id.
    init?(_ reader: JSONReader) {
        if reader.value.string != nil {
            guard let text = reader.string(length: 1...200) else { return nil }
            (id, self.text) = (Identifier(text), text)
            return
        }
        guard reader.object() != nil else { return nil }
        let (id, text) = (
            reader.required("id")?.identifier(length: 1...200), reader.required("text")?.string(length: 1...1000)
        )
        guard let id, let text else { return nil }
        (self.id, self.text) = (id, text)
    }

    /// Reads a quick reply; nil if the value is none, because a webhook can send any value.
    init?(_ json: JSONValue) { self.init(JSONReader(json, findings: Findings())) }

    public var json: JSONValue { ["id": .string(id), "text": .string(text)] }
}
