internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The poll: what a client may see now (api.md 2.1).
enum MessageRoutes {
    static let all = [
        Endpoint(.get, "/v1/apps/{app}/messages", .scope(.client), handle: get),
        Endpoint(.post, "/v1/apps/{app}/messages", .scope(.client), handle: post),
    ]

    static func get(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let question = try question(call, app)
        try call.limit(client: question.clientID, of: app)
        let context = try call.worker.contexts.context(for: question, app: app, call: call)
        call.worker.meter.countIgnoredAttributes(context.ignoredAttributes)
        call.worker.sampling.note(context, of: app, at: call.arrived)
        return answer(PollAnswering(call: call, app: app, clientID: question.clientID, context: context, events: nil))
    }

    /// Who asks and what; when that cannot be told, the faults of the rest are told with it.
    private static func question(_ call: Call, _ app: AppSnapshot) throws(APIError) -> PollQuestion {
        do {
            return try PollQuestion(query: call.request.query, request: call.request)
        } catch .badRequest(let findings) {
            do {
                _ = try ContextReading(app: app, call: call).readQuery()
            } catch .badRequest(let others) {
                throw .badRequest(findings + others)
            }
            throw .badRequest(findings)
        }
    }

    static func post(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let body = try PollBody(call, app: app)
        try call.limit(client: body.clientID, of: app)
        let context = PollContext(
            app: app, targeting: body.context, surfaces: body.surfaces,
            countdown: call.worker.sampling.countdown(of: app))
        call.worker.sampling.note(context, of: app, at: call.arrived)
        let polling = PollAnswering(
            call: call, app: app, clientID: body.clientID, context: context, events: body.events)
        return body.events?.resolved.isEmpty ?? true ? answer(polling) : polling.record()
    }

    /// With the client's state at hand the answer is made at once; else it is read first.
    private static func answer(_ polling: PollAnswering) -> Handling {
        polling.call.worker.explaining.note(polling)
        let store = polling.call.services.store
        switch store.lookUp(polling.client) {
        case .known(let client):
            return polling.answerAgain(version: client.version)
                ?? client.state.map { polling.answer($0, held: client) } ?? load(polling)
        case .absent: return polling.answerAgain(version: 0) ?? polling.answer(ClientState(), version: 0)
        case .notLoaded: return load(polling)
        }
    }

    private static func load(_ polling: PollAnswering) -> Handling {
        let polling = polling.detached
        let store = polling.call.services.store
        return polling.call.park { (ticket: Ticket<Result<ClientState?, StoreError>>) in
            store.load(polling.client) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch outcome {
            case .success(let state):
                polling.call.worker.explaining.noteRead(polling, state ?? ClientState())
                return polling.answer(state ?? ClientState(), version: nil)
            case .failure(let error): throw .store(error)
            }
        }
    }
}

/// A poll whose question was understood.
struct PollAnswering {
    let call: Call
    let app: AppSnapshot
    let clientID: String
    let context: PollContext
    let events: EventBatch?

    var client: ClientReference { ClientReference(app: app.name, id: clientID) }

    var poll: Poll {
        Poll(app: app, client: client, surfaces: context.surfaces, context: context.targeting, now: call.arrived)
    }

    /// What the client was answered last, if nothing can have changed since.
    func answerAgain(version: UInt64) -> Handling? {
        let poll = self.poll
        guard let delivery = call.worker.remembered.delivery(memoryKey(version), at: poll.query.now) else { return nil }
        return .now(response(delivery, poll: poll, tally: events.map(\.tally)))
    }

    /// Recipes are not looked at again where that was done since anything changed that they depend on.
    func answer(_ state: ClientState, held: HeldClient) -> Handling {
        let validity = Validity()
        guard !app.experiments.isEmpty || !state.enrollments.isEmpty else {
            return answer(state, version: held.version, standing: .settled, validity)
        }
        if held.settlement.holds(for: context.digest, at: call.arrived) {
            validity.limit(to: held.settlement.until)
            return answer(state, version: held.version, standing: .settled, validity)
        }
        let settlement = Validity()
        guard app.edition.evolved(poll.query, state: state, validity: settlement) == nil else { return record() }
        call.services.store.settle(
            client, version: held.version, Settlement(digest: context.digest, until: settlement.end))
        validity.limit(to: settlement.end)
        return answer(state, version: held.version, standing: .settled, validity)
    }

    /// The usual case changes nothing and is answered from memory. The decision is remembered for the version of the
    /// state, where that is known.
    func answer(
        _ state: ClientState, version: UInt64?, standing: EnrollmentStanding = .unsettled,
        _ validity: Validity = Validity()
    ) -> Handling {
        let poll = self.poll
        let delivery = app.edition.decide(
            poll.query, state: state, standing: standing, verdicts: context.verdicts, validity: validity)
        guard delivery.effects.isEmpty else { return record() }
        if let version {
            call.worker.remembered.remember(
                delivery, for: memoryKey(version), made: poll.query.now, until: validity.end)
        }
        return .now(response(delivery, poll: poll, tally: events.map(\.tally)))
    }

    private func memoryKey(_ version: UInt64) -> RememberedDeliveries.Key {
        // Byte for byte: `String`'s own hash is the same for ids that are canonically equivalent.
        let client = ByteKey(text: clientID).hashValue
        return RememberedDeliveries.Key(client: client, context: context.serial, version: version)
    }

    /// What a poll changes is durable before it is answered.
    func record() -> Handling { detached.recordDetached() }

    /// See `Call.detached`.
    var detached: PollAnswering {
        PollAnswering(call: call.detached, app: app, clientID: clientID, context: context, events: events)
    }

    private func recordDetached() -> Handling {
        let poll = self.poll
        let change = DeliverMessages.change(poll, events: events?.resolved, policy: call.worker.settings.events)
        return call.park { (ticket: Ticket<Result<SubmissionResult, StoreError>>) in
            call.services.store.submit(Submission([change]) { ticket.complete($0) })
        } resume: { (outcome) throws(APIError) in
            switch outcome {
            case .success(.applied(let results)):
                guard case .delivered(let delivery, var tally)? = results.first else { return .now(.unexpected) }
                if let rejected = events?.rejected { tally?.reject(rejected) }
                return .now(response(delivery, poll: poll, tally: tally))
            case .success(.replayed), .success(.keyConflict): throw .idempotencyKeyConflict
            case .failure(let error): throw .store(error)
            }
        }
    }

    private func response(_ delivery: Delivery, poll: Poll, tally: EventTally?) -> Response {
        PollResponse(polling: self, poll: poll, delivery: delivery, tally: tally).response
    }
}
