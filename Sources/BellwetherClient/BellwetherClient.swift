public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON

/// The client of one app on this device (docs/swift.md).
///
/// Events and answers are on disk before a call returns, and are sent later, once. No call that records throws, and
/// none waits for the network, except those that say so.
public actor BellwetherClient {
    let configuration: ClientConfiguration
    let transport: any Transport
    let clock: @Sendable () -> Timestamp
    var storage: any Storage
    var settings: ClientSettings
    var device: DeviceDecisions
    var queue: EventQueue
    /// The session of the app, which caps of a session count.
    var session = Identifier(BellwetherClient.randomID())
    /// The newest time of the clock. A clock that goes back does not make an event older than the one before it.
    private var newestTime: Timestamp
    /// The daemon's answer to the last poll.
    var answer: PolledMessages?
    /// The number of changes that may change what is offered.
    var changes = 0
    var messagesOfDevice: [OfferedMessage] = []

    var delivery: Task<Void, Never>?
    var contact: Task<Bool, Never>?
    var timer: Task<Void, Never>?
    var failures = 0
    /// The seconds that the daemon wants the client to wait.
    var retryAfter: Int64?
    /// The requests whose callers wait for the response.
    var awaited: Set<String> = []
    var responses: [String: TransportResponse] = [:]
    var refused = 0
    var lastRefusal: String?

    /// Creates a client from its files. It does not use the network.
    public init(
        _ configuration: ClientConfiguration = ClientConfiguration(), transport: any Transport,
        storage: any Storage, clock: @escaping @Sendable () -> Timestamp
    ) {
        var storage = storage
        (self.configuration, self.transport, self.clock) = (configuration, transport, clock)
        settings = Self.settings(configuration, in: &storage)
        queue = EventQueue(maximumBytes: configuration.queueBytes)
        device = DeviceDecisions()
        if let bundle = configuration.builtInBundle { device.take(bundle: bundle) }
        if let bundle = try? storage.read(Self.bundleFile) { device.take(bundle: bundle) }
        newestTime = Timestamp(milliseconds: 0)
        if let saved = try? storage.read(Self.stateFile), let end = saved.firstIndex(of: UInt8(ascii: "\n")) {
            newestTime = Timestamp(milliseconds: Int64(String(decoding: saved[..<end], as: UTF8.self)) ?? 0)
            device.state = ClientState(encoded: saved[(end + 1)...]) ?? ClientState()
        }
        device.state.userID = settings.userID.map { Identifier($0) }
        answer = (try? storage.read(PolledMessages.file)).flatMap { PolledMessages(saved: $0) }
        self.storage = storage
    }

    private static let stateFile = "state"
    static let bundleFile = "bundle.json"
    static let bundleTagFile = "bundle.tag"

    /// Reads the settings, or makes those of a new client. Processes that start together get the same client.
    private static func settings(_ configuration: ClientConfiguration, in storage: inout some Storage) -> ClientSettings
    {
        let made = ClientSettings(clientID: configuration.clientID ?? randomID())
        let settings = try? storage.exclusively { storage in
            let file = try storage.read(ClientSettings.file)
            if var saved = try file.flatMap({ ClientSettings(try JSONValue(parsing: $0)) }) {
                saved.clientID = configuration.clientID ?? saved.clientID
                return saved
            }
            guard !configuration.requiresConsent else { return made }
            try storage.replace(ClientSettings.file, with: made.json.encoded, isDurable: true)
            return made
        }
        return settings ?? made
    }

    /// A random id of 128 bits.
    static func randomID() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(generator.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

/// The person.
extension BellwetherClient {
    public var clientID: String { settings.clientID }
    /// The user that the client was identified with.
    public var userID: String? { settings.userID }
    public var attributes: JSONObject { settings.attributes }

    /// Whether the client may store and send: the person has consented where the app requires it, and has not opted
    /// out.
    public var isAllowed: Bool { !settings.isOptedOut && settings.consent ?? !configuration.requiresConsent }

    /// Assigns the client to a user. From then on drafts and answers are the user's, on every device. The same user
    /// again changes nothing, and another user takes over.
    ///
    /// - Parameter proof: the proof that an app with a public token needs
    ///   (docs/reference/http-api.md#public-tokens).
    public func identify(_ userID: String, proof: String? = nil) {
        guard isAllowed, settings.userID != userID else { return }
        if settings.userID != nil { forgetUser() }
        settings.userID = userID
        device.state.userID = Identifier(userID)
        save(settings)
        saveState()
        var body: JSONObject = ["client_id": .string(clientID), "user_id": .string(userID)]
        body["user_proof"] = proof.map { .string($0) }
        enqueue(post("identify", body))
        if configuration.flushSeconds != nil { Task { await refresh() } }
    }

    /// Forgets the person, such as after signing out: the client gets a new id. Unsent events and answers are still
    /// sent, for the person who caused them.
    public func reset() {
        let consent = settings.consent
        settings = ClientSettings(clientID: configuration.clientID ?? Self.randomID())
        settings.consent = consent
        device.state = ClientState()
        session = Identifier(Self.randomID())
        forgetAnswers()
        guard isAllowed else { return }
        save(settings)
        saveState()
    }

    /// Merges attributes for targeting into those that are known. Null removes one.
    public func setAttributes(_ attributes: JSONObject) {
        // A literal nil would be JSON's null here.
        for (name, value) in attributes { settings.attributes[name] = value == .null ? .none : .some(value) }
        changes += 1
        if isAllowed { save(settings) }
    }

    /// Notes whether the person has consented. A withdrawal deletes everything that the client has stored, also what is
    /// not sent yet.
    public func setConsent(_ isGiven: Bool) {
        if !isGiven { erase() }
        settings.consent = isGiven
        if isGiven || !configuration.requiresConsent { save(settings) }
        changes += 1
    }

    /// Stops or continues everything that the client records and shows. Unsent events and answers are deleted. The
    /// client keeps its id.
    public func setOptedOut(_ isOptedOut: Bool) {
        settings.isOptedOut = isOptedOut
        if isOptedOut { forgetQueue() }
        save(settings)
        changes += 1
    }

    /// Removes what belongs to the user, and keeps what belongs to the installation.
    private func forgetUser() {
        var user = ClientState()
        device.state = device.state.split(into: &user)
        forgetAnswers()
    }

    /// Removes what was answered, by the daemon and by the person.
    private func forgetAnswers() {
        answer = nil
        changes += 1
        let kept: Set = [
            EventQueue.file, EventQueue.cursorFile, ClientSettings.file, Self.stateFile, Self.bundleFile,
            Self.bundleTagFile,
        ]
        for name in (try? storage.names()) ?? [] where !kept.contains(name) && !name.hasPrefix(Self.runPrefix) {
            try? storage.remove(name)
        }
    }

    private func forgetQueue() {
        queue = EventQueue(maximumBytes: configuration.queueBytes)
        for name in [EventQueue.file, EventQueue.cursorFile] { try? storage.remove(name) }
    }

    private func erase() {
        timer?.cancel()
        timer = nil
        queue = EventQueue(maximumBytes: configuration.queueBytes)
        (device.state, answer) = (ClientState(), nil)
        settings = ClientSettings(clientID: configuration.clientID ?? Self.randomID())
        session = Identifier(Self.randomID())
        for name in (try? storage.names()) ?? [] { try? storage.remove(name) }
    }

    func save(_ settings: ClientSettings) {
        try? storage.replace(ClientSettings.file, with: settings.json.encoded, isDurable: true)
    }

    func saveState() {
        let content = Array("\(newestTime.milliseconds)\n".utf8) + device.state.encoded()
        try? storage.replace(Self.stateFile, with: content, isDurable: false)
    }
}

/// Events.
extension BellwetherClient {
    /// The present time. It does not go back within the life of the client's files.
    func now() -> Timestamp {
        newestTime = max(newestTime, clock())
        return newestTime
    }

    /// Counts a behaviour event, such as `trip_saved`, of which triggers and goals read the number.
    public func track(_ name: String, count: Int = 1, properties: JSONObject = [:]) {
        var event: JSONObject = ["type": "behavior", "name": .string(name), "count": .integer(Int64(count))]
        if !properties.isEmpty { event["properties"] = .object(properties) }
        record(event)
    }

    /// Counts a start of the app.
    public func launched() { track("app_launch") }

    /// Counts that the app has come to the foreground.
    public func foregrounded() { track("app_foreground") }

    /// The numbers of starts and of times in the foreground, and the time of the first start.
    public var counters: LaunchCounters { device.state.counters }

    /// Notes that a message is on the screen.
    public func displayed(_ message: OfferedMessage) { record(.displayed, message) }

    /// Notes that a message was pressed. The app opens `message.action`, or what the message presents.
    public func clicked(_ message: OfferedMessage) { record(.clicked, message) }

    public func dismissed(_ message: OfferedMessage) { record(.dismissed, message) }

    /// Notes a step on the sheet of a microsurvey.
    public func report(_ step: MicrosurveyStep, _ message: OfferedMessage) {
        record(["type": "microsurvey", "action": .string(step.rawValue), "message": .string(message.key)])
    }

    /// Notes that the app has used a feature, under an experiment or without one.
    public func exposed(feature: String, experiment: String? = nil) {
        var event: JSONObject = ["type": "feature", "action": "exposed", "feature_id": .string(feature)]
        event["experiment"] = experiment.map { .string($0) }
        record(event)
    }

    private func record(_ action: MessageAction, _ message: OfferedMessage) {
        var event: JSONObject = [
            "type": "message", "action": .string(action.rawValue), "message": .string(message.key),
            "session_id": .string(session),
        ]
        if action == .clicked { event["action_uuid"] = message.action?.uuid.map { .string($0) } }
        record(event)
    }

    /// Records an event: in the queue, and then in the state of the device. An event that the daemon would refuse is
    /// not recorded.
    private func record(_ event: JSONObject) {
        guard isAllowed else { return }
        var event = event
        let now = now()
        event["id"] = .string(Self.randomID())
        event["at"] = .string(now.rfc3339)
        if let beforeSend = configuration.beforeSend {
            guard let changed = beforeSend(event) else { return }
            event = changed
        }
        guard let id = event["id"]?.string, let parsed = try? JSONValue(parsing: JSONValue.object(event).encoded),
            let read = ClientEvent.read(JSONReader(parsed, findings: Findings()))
        else {
            refused += 1
            lastRefusal = "event"
            return
        }
        var kind = QueueEntry.Kind.event
        if case .behavior = read.kind { kind = .behavior }
        enqueue(QueueEntry(id: id, kind: kind, clientID: clientID, body: event))
        device.record(
            read, of: Identifier(clientID), at: now, offered: (answer?.messages ?? []) + messagesOfDevice)
        saveState()
    }

    /// Answers a microsurvey with the index of an option. The answer is sent once, also after the cap is reached.
    public func respond(to message: OfferedMessage, option: Int) {
        guard isAllowed, let options = message.microsurvey?.options, options.indices.contains(option) else { return }
        let body: JSONObject = [
            "client_id": .string(clientID), "message": .string(message.key), "option": .string("\(option)"),
            "revision": .integer(Int64(message.revision)), "locale": .string(configuration.locale ?? message.locale),
        ]
        var entry = post("responses", body)
        entry.body["id"] = .string(entry.id)
        enqueue(entry)
        device.answered(message, option: option, of: Identifier(clientID), at: now())
        saveState()
    }

    /// A request that is never dropped.
    func post(_ path: String, _ body: JSONObject) -> QueueEntry {
        QueueEntry(id: Self.randomID(), kind: .answer, clientID: clientID, path: path, body: body)
    }

    /// Appends an entry to the queue, which is sent soon.
    func enqueue(_ entry: QueueEntry) {
        queue.append(entry, in: &storage)
        changes += 1
        if let seconds = configuration.flushSeconds { schedule(after: seconds) }
    }
}
