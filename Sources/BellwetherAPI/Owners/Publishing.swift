internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Gives an owner's change to the publisher, and responds when every worker serves it.
enum Publishing {
    /// Publishes a change. The publisher, not this function, checks that the app exists: a repeated request must get
    /// its first response, even if the first request deleted the app.
    ///
    /// - Parameter revision: The revision for a change of state; nil for the newest.
    static func publish(
        _ call: Call, _ change: PublishRequest.Change, _ query: PublishQuery, revision: Int? = nil
    ) throws(APIError) -> Handling {
        var request = PublishRequest(app: call.parameter("app"), change: change)
        request.revision = revision
        (request.isStrict, request.isDraft) = (query.isStrict, query.isDraft)
        let conditions = WriteConditions(call.request)
        request.precondition = { conditions.hold(for: $0) }
        request.isTrial = query.isTrial
        request.idempotency = query.isTrial ? nil : try Idempotency.claim(call)
        request.limits = call.jsonLimits
        request.catalogBytes = call.worker.settings.catalogBytes
        (request.author, request.trace) = (call.author, call.trace)
        request.isReview = !call.mayWrite
        request.requiresApproval = call.worker.settings.requiresApproval || request.isReview
        let publisher = call.services.publisher
        return call.park { [request] (ticket: Ticket<PublishOutcome>) in
            publisher.publish(request, reply: reply) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            if case .refused(.notFound) = outcome { throw call.missingDocument }
            if case .batch(let results) = outcome { count(results, call) }
            if query.isTrial, case .stored(let receipt) = outcome {
                return .now(.json(200, ["warnings": .array(receipt.warnings.map(\.json))]))
            }
            return .now(try response(outcome))
        }
    }

    /// The response to a change, now or by the first request with the same idempotency key.
    static func response(_ outcome: PublishOutcome) throws(APIError) -> Response {
        if case .refused(let refusal) = outcome { throw APIError(refusal) }
        let (status, body) = reply(outcome)
        var response = Idempotency.response(status, body)
        if let tag = outcome.entityTag { response.add("ETag", tag) }
        return response
    }

    /// Counts the refused recipes of a batch. They do not refuse the request.
    private static func count(_ results: [RecipeResult], _ call: Call) {
        for case .failure(let refusal) in results.map(\.outcome) {
            call.worker.meter.count(Problem(APIError(refusal)), at: call.endpoint)
        }
    }

    @Sendable
    static func reply(_ outcome: PublishOutcome) -> (status: Int, body: [UInt8]) {
        switch outcome {
        case .stored(let receipt): (receipt.effect == .created ? 201 : 200, receipt.json.encoded)
        case .list(let receipt): (receipt.effect == .created ? 201 : 200, receipt.json.encoded)
        case .deleted: (204, [])
        case .batch(let results): (200, results.json.encoded)
        case .replayed(let earlier): (earlier.status, earlier.body)
        case .refused(let refusal):
            (Problem(APIError(refusal)).status, Problem(APIError(refusal)).json.encoded)
        }
    }
}

extension Call {
    /// Whether the caller may write the documents of this route. Others may only review them.
    fileprivate var mayWrite: Bool {
        guard case .abilities(let needed) = endpoint.access, let writing = needed.first else { return true }
        return mayDo(writing)
    }
}

extension PublishReceipt {
    var json: JSONValue {
        var members: JSONObject = ["revision": .integer(Int64(revision))]
        if let state { members["state"] = .string(state.rawValue) }
        members["warnings"] = .array(warnings.map(\.json))
        return .object(members)
    }
}

extension Finding {
    var json: JSONValue {
        var json: JSONObject = [
            "pointer": .string(pointer.description), "code": .string(code), "message": .string(message),
        ]
        if let suggestion { json["did_you_mean"] = .string(suggestion) }
        return .object(json)
    }
}
