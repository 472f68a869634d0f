internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Hands an owner's change to the publisher, and answers when every worker serves it.
enum Publishing {
    static func publish(
        _ call: Call, _ change: PublishRequest.Change, newApp: Bool = false
    ) throws(APIError) -> Handling {
        let name = call.parameter("app")
        if newApp {
            guard name.isIdentifier else { throw .identifier("app") }
        } else {
            _ = try call.app()
        }
        var request = PublishRequest(app: name, change: change)
        request.isStrict = try isStrict(call)
        request.expectedRevision = try expectedRevision(call)
        request.idempotency = try Idempotency.claim(call)
        let publisher = call.services.publisher
        return call.park { [request] (ticket: Ticket<PublishOutcome>) in
            publisher.publish(request, reply: reply) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            if case .refused(let refusal) = outcome { throw APIError(refusal) }
            let (status, body) = reply(outcome)
            var response = Idempotency.response(status, body)
            if case .stored(let receipt) = outcome { response.add("ETag", etag(receipt.revision)) }
            return .now(response)
        }
    }

    @Sendable
    private static func reply(_ outcome: PublishOutcome) -> (status: Int, body: [UInt8]) {
        switch outcome {
        case .stored(let receipt): (receipt.effect == .created ? 201 : 200, receipt.json.encoded)
        case .deleted: (204, [])
        case .replayed(let earlier): (earlier.status, earlier.body)
        case .refused(let refusal):
            (Problem(APIError(refusal)).status, Problem(APIError(refusal)).json.encoded)
        }
    }

    static func isStrict(_ call: Call) throws(APIError) -> Bool {
        var isStrict = false
        for (name, value) in try call.query() where name == "strict" {
            guard value == "true" || value == "false" else {
                throw .badRequest("choice", "strict is true or false", at: .parameter("strict"))
            }
            isStrict = value == "true"
        }
        return isStrict
    }

    static func etag(_ revision: Int) -> String { "\"\(revision)\"" }

    /// `If-Match` names the revision that the writer means to replace; `*` any that exists.
    private static func expectedRevision(_ call: Call) throws(APIError) -> Int? {
        guard let header = call.request.header(.ifMatch) else { return nil }
        let text = String(decoding: header, as: UTF8.self)
        if text == "*" { return nil }
        guard let revision = Int(text.filter { $0 != "\"" }), revision > 0 else {
            throw .badRequest("if_match", "If-Match names a revision, such as \"3\"")
        }
        return revision
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
        ["pointer": .string(pointer.description), "code": .string(code), "message": .string(message)]
    }
}
