public import BellwetherBase
public import BellwetherJSON

/// The effects of an action in a conversation, in addition to the run.
public struct ChatNotice: Sendable, Hashable {
    /// The new messages of the flow and of the owner's server.
    public var messages: [ChatMessage] = []
    /// The call of the owner's server that is due; nil if there is none.
    public var exchange: ChatHookCall?
    /// Whether the server's reply lacks the array `messages`.
    public var isMisshapen = false

    /// `{"messages", "quick_replies", "turn", "remaining_turns", "completed", "rating_prompt"}`, with `max_rating`
    /// while a rating is possible, and `warnings` if there are any.
    public func json(_ chat: JSONObject) -> JSONObject {
        var json = chat
        json["messages"] = .array(messages.map(\.json))
        if isMisshapen {
            json["warnings"] = [
                ["code": "chat_reply_shape", "message": "The reply has no array \"messages\"; nothing is shown."]
            ]
        }
        return json
    }
}

/// The request to an owner's server for a message of a chat.
public struct ChatHookCall: Sendable, Hashable {
    public let hook: FlowHook
    public let step: Identifier
    public let turn: Int
    let text: String
    let maximumTurns: Int
    let messages: [ChatMessage]
    /// The merged `data` of the replies so far.
    let data: JSONObject
    let rating: Int64?

    /// The flow's own reply in a trial without the owner's server: its sample replies by turn, then an echo of the
    /// respondent's text. Nil: the flow has no sample replies, and the server is called.
    public var sampleReply: ChatReply? {
        guard let replies = hook.sampleReplies else { return nil }
        return turn <= replies.count ? replies[turn - 1] : ChatReply(saying: "“\(text)”")
    }

    /// The reply in a trial instead of the owner's server's: the flow's sample reply, else its own messages after the
    /// turn, else an echo.
    var standInReply: ChatReply {
        sampleReply ?? (messages.last?.role == .ai ? .silent : ChatReply(saying: "“\(text)”"))
    }

    /// The body of the request, without the flow, the app and the respondent.
    public var body: JSONObject {
        var body: JSONObject = [
            "event": "chat_message", "step_id": .string(step),
            "conversation": [
                "turn": .integer(Int64(turn)), "user_message": .string(text),
                "max_turns": .integer(Int64(maximumTurns)),
                "remaining_turns": .integer(Int64(max(0, maximumTurns - turn))),
                "messages": .array(messages.map { .object($0.plain) }),
            ],
            "rating": rating.map { .integer($0) } ?? .null,
        ]
        if !data.isEmpty { body["context"] = .object(data) }
        return body
    }
}

/// Conversations of `interactive_chat` steps. All functions are pure.
extension FlowDefinition {
    /// The current conversation of a step, and its settings with texts in the respondent's language.
    func conversation(_ step: FlowStep, _ run: FlowRun) -> (state: ChatState, config: ChatConfig) {
        let shown = shown(step, run)["chat_config"] ?? .object([:])
        let config = ChatConfig(JSONReader(shown, findings: Findings()))
        let viewedAt = run.viewedAt ?? run.startedAt
        if let open = run.chats[step.id]?.object, let state = ChatState(open, viewedAt: viewedAt) {
            return (state, config)
        }
        if let state = ChatState(answer: run.shownAnswers(of: step.id), viewedAt: viewedAt) { return (state, config) }
        var state = ChatState(at: viewedAt)
        for message in config.script(after: 0) { state.append(message.message(at: viewedAt)) }
        state.quickReplies = config.offers(after: 0)
        return (state, config)
    }

    /// The conversation that a client sees with the run.
    func chatView(_ step: FlowStep, _ run: FlowRun) -> JSONObject {
        let (state, config) = conversation(step, run)
        return state.view(config)
    }

    /// The run after an action in its conversation. If `ChatNotice.exchange` is set, the caller must call the owner's
    /// server, and then call `reply` with the result.
    ///
    /// - Parameter key: the key of the request. A repeated request with the same key adds no message.
    public func chat(
        _ run: FlowRun, _ action: ChatAction, at id: Identifier, key: Identifier, now: Timestamp
    ) throws(FlowRefusal) -> FlowMove {
        guard run.outcome == nil, let current = run.path.last else { throw .runEnded }
        guard current == id else { throw .wrongStep }
        guard let step = step(id), step.kind == .interactiveChat else { throw .notAllowed(language.say(.noChat)) }
        var turn = ChatTurn(flow: self, step: step, run: run, now: now)
        switch action {
        case .say(let text): try turn.say(text, key)
        case .choose(let reply): try turn.choose(reply, key)
        case .rate(let rating): try turn.rate(rating)
        case .end: try turn.end()
        }
        return turn.move
    }

    /// The run after the owner's server has replied or failed. A turn has only one reply; a further reply changes
    /// nothing.
    public func reply(
        _ run: FlowRun, to turn: Int, at id: Identifier, _ reply: Result<ChatReply, ChatFailure>, now: Timestamp
    ) throws(FlowRefusal) -> FlowMove {
        guard run.outcome == nil else { throw .runEnded }
        guard run.path.last == id, let step = step(id) else { throw .wrongStep }
        var chat = ChatTurn(flow: self, step: step, run: run, now: now)
        chat.hear(reply, turn)
        return chat.move
    }

    /// Ends the conversation because the respondent leaves the step, and returns the step's answer. It is refused
    /// before `min_user_turns` messages, unless the respondent skips the step.
    func leaveChat(
        _ step: FlowStep, _ move: inout FlowMove, as completion: ChatCompletion, now: Timestamp
    ) throws(FlowRefusal) -> JSONObject {
        var chat = ChatTurn(flow: self, step: step, run: move.run, now: now)
        if chat.state.completion == nil {
            guard completion == .skipped || chat.state.turn >= chat.config.minimumTurns else {
                throw .notAllowed(language.say(.noLeavingYet, ["\(chat.config.minimumTurns)"]))
            }
            chat.complete(completion, message: nil)
        }
        move.events += chat.move.events
        let isKept = completion == .skipped
        move.run.chats[step.id] = isKept ? chat.state.json : nil
        return chat.state.answer
    }
}

extension ChatConfig.ScriptedMessage {
    fileprivate func message(at now: Timestamp) -> ChatMessage {
        ChatMessage(.ai, id: id, content, media: media, delayMilliseconds: delayMilliseconds, at: now)
    }
}

/// One action in a conversation.
private struct ChatTurn {
    let flow: FlowDefinition
    let step: FlowStep
    let now: Timestamp
    let config: ChatConfig
    private(set) var state: ChatState
    private var run: FlowRun
    private var events: [FlowEvent] = []
    private var notice = ChatNotice()

    init(flow: FlowDefinition, step: FlowStep, run: FlowRun, now: Timestamp) {
        (self.flow, self.step, self.run, self.now) = (flow, step, run, now)
        (state, config) = flow.conversation(step, run)
    }

    var move: FlowMove {
        var move = FlowMove(run: run, events: events)
        move.run.chats[step.id] = state.json
        move.chat = notice
        return move
    }

    private mutating func note(_ name: Identifier, _ extra: JSONObject) {
        var all: JSONObject = ["flow_id": .string(flow.id), "step_id": .string(step.id)]
        for member in extra { all[member.key] = member.value }
        events.append(FlowEvent(name, all))
    }

    private func refusal(
        _ code: AnswerFault.Code, at member: String, _ sentence: FlowSentence, _ values: String...,
        bounds: JSONObject = [:]
    ) -> FlowRefusal {
        .invalid([FlowFault(code.rawValue, at: [member], flow.language.say(sentence, values), bounds: bounds)])
    }

    mutating func say(_ text: String, _ key: Identifier) throws(FlowRefusal) {
        if let turn = pendingTurn(key) { return ask(turn) }
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw refusal(.required, at: "text", .blankMessage)
        }
        guard !text.utf8.contains(0) else { throw refusal(.type, at: "text", .nul) }
        guard text.unicodeScalars.count <= config.inputLength else {
            throw refusal(
                .tooLong, at: "text", .messageLength, "\(config.inputLength)",
                bounds: ["max": .integer(Int64(config.inputLength))])
        }
        try send(text, key, tapped: nil)
    }

    mutating func choose(_ id: Identifier, _ key: Identifier) throws(FlowRefusal) {
        if let turn = pendingTurn(key) { return ask(turn) }
        guard let reply = state.quickReplies.first(where: { $0.id == id }) else {
            throw refusal(.notOption, at: "quick_reply_id", .unknownQuickReply)
        }
        try send(reply.text, key, tapped: reply)
    }

    /// The turn of a repeated request that has no reply yet.
    private func pendingTurn(_ key: Identifier) -> Int? {
        key.isEmpty ? nil : state.pending.first { $0.value == key }?.key
    }

    private mutating func send(_ text: String, _ key: Identifier, tapped: ChatQuickReply?) throws(FlowRefusal) {
        guard state.completion == nil, state.messages.count < ChatState.maximumMessages,
            state.turn < config.maximumTurns || !config.isHardLimit
        else { throw .notAllowed(flow.language.say(.noMoreMessages)) }
        if let tapped {
            note("chat_quick_reply_tapped", ["quick_reply_id": .string(tapped.id), "text": .string(tapped.text)])
        }
        state.turn += 1
        state.append(ChatMessage(.user, id: "msg_u\(state.turn)", text, at: now))
        note(
            "chat_message_sent",
            ["turn": .integer(Int64(state.turn)), "message_length": .integer(Int64(text.unicodeScalars.count))])
        for message in config.script(after: state.turn) { state.append(message.message(at: now)) }
        state.quickReplies = config.offers(after: state.turn, reply: [])
        state.pending[state.turn] = key
        ask(state.turn)
    }

    private mutating func ask(_ turn: Int) {
        guard let hook = step.chatHook else { return hear(.success(.silent), turn) }
        let text = state.messages.last { $0.id == "msg_u\(turn)" }?.content ?? ""
        notice.exchange = ChatHookCall(
            hook: hook, step: step.id, turn: turn, text: text, maximumTurns: config.maximumTurns,
            messages: state.messages, data: state.data, rating: state.rating)
    }

    mutating func hear(_ reply: Result<ChatReply, ChatFailure>, _ turn: Int) {
        guard state.pending.removeValue(forKey: turn) != nil else { return }
        var completion: (ChatCompletion, message: String?)?
        switch reply {
        case .success(let reply): completion = hear(reply, turn)
        case .failure(let failure):
            note("chat_webhook_error", failure.extra(turn))
            state.quickReplies = config.offers(after: turn)
        }
        let isFull = state.messages.count >= ChatState.maximumMessages
        if completion == nil, turn >= config.maximumTurns && config.isHardLimit || isFull {
            completion = (.maximumTurns, config.completionMessage)
        }
        if let completion { complete(completion.0, message: completion.message) }
        notice.messages = newMessages(turn)
        if case .failure = reply {
            let text = step.chatHook?.errorText ?? flow.language.say(.hookFailed)
            notice.messages.append(ChatMessage(.system, id: "err_\(turn)", text, at: now))
        }
    }

    private mutating func hear(_ reply: ChatReply, _ turn: Int) -> (ChatCompletion, message: String?)? {
        var extra: JSONObject = [
            "turn": .integer(Int64(turn)), "message_count": .integer(Int64(reply.messages.count)),
        ]
        if reply.isMisshapen { extra["warning"] = "chat_reply_shape" }
        notice.isMisshapen = reply.isMisshapen
        note("chat_message_received", extra)
        for (index, message) in reply.messages.enumerated() {
            state.append(
                ChatMessage(
                    .ai, id: "msg_a\(turn)_\(index)", message.content, media: message.media,
                    delayMilliseconds: message.delayMilliseconds, at: now))
        }
        for member in reply.data { state.data[member.key] = member.value }
        state.quickReplies = config.offers(after: turn, reply: reply.quickReplies)
        return reply.isLast ? (.ai, reply.completionMessage ?? config.completionMessage) : nil
    }

    /// The messages after the respondent's message of this turn.
    private func newMessages(_ turn: Int) -> [ChatMessage] {
        guard let sent = state.messages.lastIndex(where: { $0.id == "msg_u\(turn)" }) else { return [] }
        return state.messages[(sent + 1)...].filter { $0.role != .user }
    }

    mutating func rate(_ rating: Int64) throws(FlowRefusal) {
        guard let maximum = state.askedRating(config) else { throw .notAllowed(flow.language.say(.noRating)) }
        guard (1...Int64(maximum)).contains(rating) else {
            throw refusal(
                .range, at: "rating", .ratingBounds, "\(maximum)", bounds: ["min": 1, "max": .integer(Int64(maximum))])
        }
        state.rating = rating
        note("chat_rating_submitted", ["rating": .integer(rating), "turn": .integer(Int64(state.turn))])
    }

    mutating func end() throws(FlowRefusal) {
        guard state.completion == nil else { return }
        guard state.turn >= config.minimumTurns else {
            throw .notAllowed(flow.language.say(.noEndYet, ["\(config.minimumTurns)"]))
        }
        complete(.user, message: config.completionMessage)
        if let last = state.messages.last, last.id == "completion" { notice.messages = [last] }
    }

    mutating func complete(_ completion: ChatCompletion, message: String?) {
        guard state.completion == nil else { return }
        if let message, !message.isEmpty { state.append(ChatMessage(.ai, id: "completion", message, at: now)) }
        (state.completion, state.completedAt, state.quickReplies) = (completion, now, [])
        let answer = state.answer
        note(
            "chat_step_completed",
            [
                "completion_reason": .string(completion.rawValue), "user_turn_count": .integer(Int64(state.turn)),
                "total_messages": .integer(Int64(state.messages.count)),
                "duration_ms": answer["duration_ms"] ?? .null,
            ])
    }
}

extension ChatReply {
    /// The reply in a chat whose server is switched off.
    fileprivate static let silent = ChatReply()

    private init() {
        (messages, quickReplies, data, isLast, completionMessage, isMisshapen) = ([], nil, [:], false, nil, false)
    }
}

extension ChatFailure {
    fileprivate func extra(_ turn: Int) -> JSONObject {
        var extra: JSONObject = ["turn": .integer(Int64(turn)), "error": .string(message)]
        extra["http_status"] = httpStatus.map { .integer(Int64($0)) }
        extra["response_body"] = responseBody.map { .string($0) }
        return extra
    }
}
