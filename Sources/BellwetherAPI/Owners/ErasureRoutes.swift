internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// The rights to erase and to get a copy, of clients and of users (docs/reference/http-api.md#erasure). The log is not
/// rewritten. Also where the app is published no more. The audit tells of an erasure, without the id.
enum ErasureRoutes {
    static let all = [
        Endpoint(.delete, "/v1/apps/{app}/clients/{client_id}", .scope(.owner)) { call throws(APIError) in
            try erase(call, client(call))
        },
        Endpoint(.get, "/v1/apps/{app}/clients/{client_id}/export", .scope(.owner)) { call throws(APIError) in
            try export(call, client(call))
        },
        Endpoint(.delete, "/v1/apps/{app}/users/{user_id}", .scope(.owner)) { call throws(APIError) in
            try erase(call, user(call))
        },
        Endpoint(.get, "/v1/apps/{app}/users/{user_id}/export", .scope(.owner)) { call throws(APIError) in
            try export(call, user(call))
        },
    ]

    private static func client(_ call: Call) throws(APIError) -> Person {
        .client(ClientReference(app: call.parameter("app"), id: try id(call, "client_id")))
    }

    private static func user(_ call: Call) throws(APIError) -> Person {
        .user(UserReference(app: call.parameter("app"), id: try id(call, "user_id")))
    }

    private static func id(_ call: Call, _ name: String) throws(APIError) -> String {
        let id = call.parameter(name)
        guard id.isIdentifier else { throw .identifier(name) }
        return id
    }

    /// Somebody of whom there is nothing is erased already. A name that was never an app's is told: it may be
    /// misspelled.
    private static func erase(_ call: Call, _ person: Person) throws(APIError) -> Handling {
        let digest = ClientDigest.make(person.tableKey, secret: call.services.secret)
        let erasure = EraseRespondent(person, knownAs: digest, call.origin, in: call.services.persistence)
        return call.detached.park { (ticket: Ticket<Result<ErasureOutcome, StoreError>>) in
            erasure.run { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            if try outcome.orThrow() == .unknownApp, call.worker.snapshot.app(person.app) == nil {
                throw .unknownApp(person.app)
            }
            return .now(Response(204))
        }
    }

    private static func export(_ call: Call, _ person: Person) throws(APIError) -> Handling {
        let now = call.arrived
        let store = call.services.persistence
        return call.detached.park { (ticket: Ticket<Result<KeptData, StoreError>>) in
            KeptData.read(person, in: store) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            var response = Response.json(200, .object(try outcome.orThrow().json(at: now)))
            response.add("Cache-Control", "no-store")
            return .now(response)
        }
    }
}

extension KeptData {
    fileprivate func json(at now: Timestamp) -> JSONObject {
        var json: JSONObject = ["app": .string(person.app), "exported_at": .string(now.rfc3339)]
        switch person {
        case .client(let client):
            json["client_id"] = .string(client.id)
            json["user_id"] = state.userID.map { .string($0) } ?? .null
            json["event_names"] = .array(state.behavior.names.map { .string($0) })
            json["launches"] = .integer(Int64(clamping: state.counters.launches))
            json["foregrounds"] = .integer(Int64(clamping: state.counters.foregrounds))
            let enrollments = state.enrollments.unpacked
            json["participation"] = enrollments.participation.json
            json["enrollments"] = .array(enrollments.enrollments.map(\.exported))
        case .user(let user):
            json["user_id"] = .string(user.id)
            json["clients"] = .array(clients.map { .string($0) })
        }
        json["messages"] = .array(state.ledger.entries.map(\.exported))
        json["surveys_dismissed_at"] = state.surveys.dismissedAt.map { .string($0.rfc3339) } ?? .null
        json["remembered"] = .object(state.memory.json)
        json["answers"] = .array(answers.map(\.exported))
        json["responses"] = .array(runs.map { .object($0.item(isAlone: true)) })
        if !files.isEmpty { json["files"] = .array(files.map { Self.exported($0, $1) }) }
        return json
    }

    private static func exported(_ reference: FileReference, _ content: [UInt8]?) -> JSONValue {
        var file = reference.json.object ?? [:]
        file["content"] = content.map { .string(Base64.encode($0[...])) } ?? .null
        return .object(file)
    }
}

extension Enrollment {
    fileprivate var exported: JSONValue {
        ["slug": .string(slug), "branch": enrolledBranch.map { .string($0.branch) } ?? .null]
    }
}

extension LedgerEntry {
    fileprivate var exported: JSONValue {
        [
            "message": .string(message), "display_count": .integer(Int64(displayCount)),
            "dismissals": .integer(Int64(dismissals)), "clicked": .bool(isClicked), "answered": .bool(isAnswered),
        ]
    }
}

extension SurveyResponse {
    fileprivate var exported: JSONValue {
        [
            "id": .string(id), "message": .string(message), "option": .string(optionStringID), "text": .string(text),
            "submitted_at": .string(submittedAt.rfc3339),
        ]
    }
}
