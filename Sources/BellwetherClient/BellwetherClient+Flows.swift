internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
public import Surveys

/// Flows.
///
/// The device runs a flow by the same rules as the daemon, so it needs no network. The actions are sent in order, and
/// the daemon's run is the one that counts. Where the two differ, such as after a hook of the owner's server, the
/// daemon alone decides from then on.
extension BellwetherClient {
    /// Begins a flow, or goes on with the run that is open on this device.
    ///
    /// - Parameters:
    ///   - message: the key of the message that presented the flow.
    ///   - context: where the person came from (docs/reference/flows.md#attribution).
    public func flow(
        slug: String, message: String? = nil, context: JSONObject = [:]
    ) async throws(FlowFailure) -> FlowPosition {
        guard isAllowed else { throw .notAllowed }
        if let saved = savedFlow(slug) { return FlowPosition(saved.view, slug: slug, run: saved.id) }
        guard let document = try await definition(slug), let flow = definition(document, slug) else {
            throw .unavailable
        }
        var start = FlowStart()
        start.attributes = attributesOfFlow
        start.context = context
        start.locale = configuration.locale.flatMap { LanguageTag($0)?.text }
        start.platform = context["platform"]?.string ?? settings.attributes["platform"]?.string
        let run = flow.start(start, at: now()).run
        var saved = SavedFlow(id: Self.randomID(), document: document, run: run, view: flow.view(run))

        var body: JSONObject = ["client_id": .string(clientID)]
        if !settings.attributes.isEmpty { body["attributes"] = .object(settings.attributes) }
        if !context.isEmpty { body["context"] = .object(context) }
        body["locale"] = configuration.locale.map { .string($0) }
        body["message"] = message.map { .string($0) }
        var entry = post("flows/\(TransportRequest.encoded(slug))/runs", body)
        (entry.run, entry.startsRun) = (saved.id, true)
        keep(saved, slug)
        guard let response = await deliver(entry) else { return FlowPosition(saved.view, slug: slug, run: saved.id) }
        guard response.isSuccess else {
            try? storage.remove(Self.file(ofFlow: slug))
            throw .closed(reason: response.problemCode)
        }
        if let view = (try? JSONValue(parsing: response.body, limits: .queue))?.object { saved.adopt(view) }
        keep(saved, slug)
        return FlowPosition(saved.view, slug: slug, run: saved.id)
    }

    /// Takes an action at the present step.
    ///
    /// - Parameter response: the answers to the step, by field.
    public func advance(
        _ position: FlowPosition, _ kind: FlowAction.Kind = .next, _ response: JSONObject = [:]
    ) async throws(FlowFailure) -> FlowPosition {
        guard isAllowed else { throw .notAllowed }
        guard var saved = savedFlow(position.slug), saved.id == position.run, let step = position.step else {
            throw .closed(reason: "run_ended")
        }
        let action = FlowAction(kind, at: step.id, response)
        var body: JSONObject = [
            "step_id": .string(step.id), "action": .string(kind.rawValue), "response": .object(response),
        ]
        if !settings.attributes.isEmpty { body["attributes"] = .object(settings.attributes) }
        let before = saved
        guard let moved = try moved(&saved, action, position.slug) else {
            return try await advanceAtDaemon(saved, body, position)
        }
        var entry = post("advance", body)
        entry.run = saved.id
        entry.body["id"] = .string(entry.id)
        keep(saved, position.slug)
        guard let response = await deliver(entry) else { return end(moved, position.slug) }
        return try take(response, saved, before: before, slug: position.slug)
    }

    /// Ends a flow before its last step.
    public func dismiss(_ position: FlowPosition) throws(FlowFailure) {
        guard isAllowed else { throw .notAllowed }
        guard let saved = savedFlow(position.slug), saved.id == position.run else { return }
        if let run = saved.run, let flow = saved.document.flatMap({ definition($0, position.slug) }) {
            do {
                _ = try flow.dismiss(run)
            } catch {
                throw .refused(error.faults(in: flow.language))
            }
        }
        var entry = post("dismiss", [:])
        entry.run = saved.id
        enqueue(entry)
        try? storage.remove(Self.file(ofFlow: position.slug))
    }

    /// Moves the run on the device; nil if the daemon has to decide.
    private func moved(
        _ saved: inout SavedFlow, _ action: FlowAction, _ slug: String
    ) throws(FlowFailure) -> FlowPosition? {
        guard let run = saved.run, let flow = saved.document.flatMap({ definition($0, slug) }),
            flow.step(action.step)?.kind != .interactiveChat, flow.secrets(in: action).isEmpty
        else { return nil }
        let advance: FlowAdvance
        do {
            advance = try flow.advance(run, action, at: now())
        } catch {
            throw .refused(error.faults(in: flow.language))
        }
        guard case .moved(let move) = advance else { return nil }
        saved.run = move.run
        saved.view = flow.view(move.run, banner: move.banner)
        return FlowPosition(saved.view, slug: slug, run: saved.id)
    }

    /// Sends an action that is not put into the queue: the daemon alone decides, or it has a password.
    private func advanceAtDaemon(
        _ saved: SavedFlow, _ body: JSONObject, _ position: FlowPosition
    ) async throws(FlowFailure) -> FlowPosition {
        await flush()
        guard queue.waiting(in: &storage).isEmpty else { throw .offline }
        guard let run = remoteRun(saved.id) else { throw .closed(reason: "run_ended") }
        var body = body
        body["id"] = .string(Self.randomID())
        let path = "runs/\(TransportRequest.encoded(run))/advance"
        let request = TransportRequest("POST", path, body: JSONValue.object(body).encoded)
        guard let response = try? await transport.send(request), response.isFinal else { throw .offline }
        var daemons = saved
        daemons.run = nil
        return try take(response, daemons, before: saved, slug: position.slug)
    }

    /// Takes the daemon's decision about an action.
    private func take(
        _ response: TransportResponse, _ saved: SavedFlow, before: SavedFlow, slug: String
    ) throws(FlowFailure) -> FlowPosition {
        let json = (try? JSONValue(parsing: response.body, limits: .queue)) ?? .null
        var saved = saved
        if response.isSuccess, let view = json.object {
            saved.adopt(view)
            keep(saved, slug)
            return end(FlowPosition(saved.view, slug: slug, run: saved.id), slug)
        }
        // The daemon has not moved.
        keep(before, slug)
        if response.status == 422 { throw .refused(json.flowFaults) }
        throw .closed(reason: response.problemCode)
    }

    /// Removes the run from the device after its end.
    private func end(_ position: FlowPosition, _ slug: String) -> FlowPosition {
        if position.status != .active { try? storage.remove(Self.file(ofFlow: slug)) }
        return position
    }

    private static func file(ofFlow slug: String) -> String { "flow-\(TransportRequest.encoded(slug)).json" }

    private func savedFlow(_ slug: String) -> SavedFlow? {
        (try? storage.read(Self.file(ofFlow: slug))).flatMap { content in
            (try? JSONValue(parsing: content, limits: .queue)).flatMap { SavedFlow($0) }
        }
    }

    private func keep(_ saved: SavedFlow, _ slug: String) {
        try? storage.replace(Self.file(ofFlow: slug), with: saved.json.encoded, isDurable: true)
    }

    /// The flow's document: that of the daemon, else of the daemon's last answer, else of the bundle. Nil if there is
    /// none.
    private func definition(_ slug: String) async throws(FlowFailure) -> JSONValue? {
        let name = "definition-\(TransportRequest.encoded(slug)).json"
        let request = TransportRequest("GET", "flows/\(TransportRequest.encoded(slug))")
        if let response = try? await transport.send(request), response.isFinal, isAllowed {
            guard response.isSuccess else { throw .closed(reason: response.problemCode) }
            try? storage.replace(name, with: response.body, isDurable: false)
            return (try? JSONValue(parsing: response.body, limits: .queue))?["flow"]
        }
        if let cached = try? storage.read(name) {
            return (try? JSONValue(parsing: cached, limits: .queue))?["flow"]
        }
        return device.recipe(Identifier(slug), .flow)?.document
    }

    /// Reads a document, with the texts of the app where it is known.
    private func definition(_ document: JSONValue, _ slug: String) -> FlowDefinition? {
        let flow = FlowDefinition(JSONReader(document, findings: Findings()), slug: Identifier(slug))
        guard let app = device.compiledApp else { return flow }
        let localizer = app.strings.localizer(for: configuration.locale.flatMap { LanguageTag($0) })
        return flow?.speaking(FlowLanguage(localizer, shortName: app.manifest.shortName))
    }

    /// The attributes that the manifest declares, as far as it is known.
    private var attributesOfFlow: JSONObject {
        guard let app = device.compiledApp else { return settings.attributes }
        let declared = app.context(.object(settings.attributes)).attributes
        return JSONObject(settings.attributes.filter { declared[$0.key] != nil })
    }
}

extension TransportResponse {
    /// The code of a problem, or the status.
    fileprivate var problemCode: String { (try? JSONValue(parsing: body))?.problemCode ?? "\(status)" }
}

extension JSONValue {
    /// The faults of a response in a problem document.
    fileprivate var flowFaults: [FlowFault] {
        (self["errors"].array ?? []).map { error in
            let tokens = (error["pointer"].string ?? "").split(separator: "/").map(String.init)
            return FlowFault(error["code"].string ?? "", at: tokens, error["message"].string ?? "")
        }
    }
}
