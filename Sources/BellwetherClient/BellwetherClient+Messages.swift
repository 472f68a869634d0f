internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// Messages.
extension BellwetherClient {
    /// The messages that may be shown now, at most one for each surface. The call does not use the network: it returns
    /// the daemon's last answer if nothing happened since, or else what the device decides.
    ///
    /// - Parameter surface: nil: all surfaces.
    public func messages(surface: String? = nil) -> MessageOffers {
        guard isAllowed else { return MessageOffers(messages: [], source: .none, ageSeconds: nil) }
        let asked = surface.map { Identifier($0) }
        func wanted(_ messages: [OfferedMessage]) -> [OfferedMessage] {
            messages.filter { asked == nil || $0.surface == asked }
        }
        if let answer, answer.changes == changes {
            return MessageOffers(messages: wanted(answer.messages), source: .daemon, ageSeconds: age(of: answer.at))
        }
        if let query = query(asked.map { [$0] } ?? []) {
            let before = device.state
            let messages = device.offers(for: query, clientID: Identifier(clientID), uuid: Self.randomUUID)
            if device.state != before { saveState() }
            messagesOfDevice = messages + messagesOfDevice.filter { asked != nil && $0.surface != asked }
            return MessageOffers(messages: messages, source: .device, ageSeconds: device.generatedAt.map(age))
        }
        guard let answer else { return MessageOffers(messages: [], source: .none, ageSeconds: nil) }
        let messages = wanted(answer.messages).filter { !device.hasEnded($0) }
        return MessageOffers(messages: messages, source: .cache, ageSeconds: age(of: answer.at))
    }

    private func query(_ surfaces: [Identifier]) -> PollQuery? {
        device.query(surfaces, context, clientID: Identifier(clientID), session: session, now: now())
    }

    private func age(of time: Timestamp) -> Int64 { max(0, (clock().milliseconds - time.milliseconds) / 1000) }

    /// The description that the client gives of itself: its attributes and its language.
    var context: JSONObject {
        var context = settings.attributes
        if let locale = configuration.locale { context["locale"] = .string(locale) }
        return context
    }

    /// A random UUID of version 4.
    @Sendable private static func randomUUID() -> String {
        var generator = SystemRandomNumberGenerator()
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUIDText.format(bytes)
    }

    /// Sends what waits, and asks the daemon for messages and for its bundle. Apps call it at the start and when they
    /// come to the foreground. Callers at the same time share one request. Messages that are on the screen stay.
    ///
    /// - Returns: whether the daemon has answered.
    @discardableResult
    public func refresh() async -> Bool {
        if let contact { return await contact.value }
        let task = Task {
            let hasAnswered = await self.reach()
            self.contact = nil
            return hasAnswered
        }
        contact = task
        return await task.value
    }

    private func reach() async -> Bool {
        await flush()
        guard isAllowed, queue.waiting(in: &storage).isEmpty else { return false }
        let (before, client) = (changes, clientID)
        let body: JSONObject = [
            "client_id": .string(client), "session_id": .string(session), "context": .object(context),
        ]
        let request = TransportRequest("POST", "messages", body: JSONValue.object(body).encoded)
        guard let response = try? await transport.send(request), response.status == 200,
            isAllowed, client == clientID, var polled = PolledMessages(response, at: clock(), changes: before)
        else { return false }
        await loadBundle()
        // The device goes through the poll's effects, too: enrollments change, and controls count as shown.
        if let query = query([]) {
            _ = device.offers(for: query, clientID: Identifier(clientID), uuid: Self.randomUUID)
        }
        guard isAllowed, client == clientID else { return true }
        device.reconcile(with: polled.messages)
        if changes != before { polled.changes = nil }
        answer = polled
        try? storage.replace(PolledMessages.file, with: polled.saved, isDurable: false)
        saveState()
        return true
    }

    private func loadBundle() async {
        var request = TransportRequest("GET", "bundle")
        let tag = (try? storage.read(Self.bundleTagFile)).map { String(decoding: $0, as: UTF8.self) }
        if device.compiledApp != nil, let tag { request.headers["If-None-Match"] = tag }
        guard let response = try? await transport.send(request), response.status == 200, isAllowed else { return }
        device.take(bundle: response.body)
        do {
            try storage.replace(Self.bundleFile, with: response.body, isDurable: false)
            try storage.replace(
                Self.bundleTagFile, with: Array((response.entityTag ?? "").utf8), isDurable: false)
        } catch {
            // A tag without its bundle would keep the bundle away.
            try? storage.remove(Self.bundleTagFile)
        }
    }
}
