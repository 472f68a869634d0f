internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The lists of clients and users that expressions read (docs/reference/audiences.md#lists). The ids of a body are read
/// in the background, and the publisher makes the change, so that all workers have it before the response.
enum ListRoutes {
    private static let list = "/v1/apps/{app}/lists/{name}"

    static let all = [
        Endpoint(.get, "/v1/apps/{app}/lists", .needs(.read), inBackground: getAll),
        Endpoint(.get, list, .needs(.read), inBackground: get),
        Endpoint(.put, list, .needs(.publish), inBackground: put).taking(.list),
        edit("add", .add),
        edit("remove", .remove),
        Endpoint(.post, list + "/contains", .needs(.respond), inBackground: contains).reading,
        Endpoint(.delete, list, .needs(.publish), handle: delete),
    ]

    private static func edit(_ verb: String, _ action: ListChange.Action) -> Endpoint {
        let handle: @Sendable (BackgroundCall) throws(APIError) -> Step = { call throws(APIError) in
            _ = try PublishQuery(call, [])
            return try change(call, action)
        }
        return Endpoint(.post, list + "/" + verb, .needs(.publish), inBackground: handle).taking(.list)
    }

    @Sendable private static func getAll(_ call: BackgroundCall) throws(APIError) -> Step {
        let lists = try call.app().listFacts
        return .respond(call.conditional(["lists": .array(lists.map { .object($0.json) })]))
    }

    @Sendable private static func get(_ call: BackgroundCall) throws(APIError) -> Step {
        let name = call.parameter("name")
        guard let list = try call.app().listFacts.first(where: { $0.name == name }) else { throw missing(name) }
        return .respond(call.conditional(list.stored.version.entityTag) { .json(200, .object(list.json)) })
    }

    @Sendable private static func put(_ call: BackgroundCall) throws(APIError) -> Step {
        let reader = try QueryReader(call)
        var subject: ListSubject?
        for item in reader.items {
            guard item.name == "of" else {
                reader.refuse(item.name)
                continue
            }
            subject = ListSubject(rawValue: item.value)
            if subject == nil { reader.fault("choice", at: "of", "of is clients or users") }
        }
        try reader.finish()
        return try change(call, .put(of: subject))
    }

    private static func change(_ call: BackgroundCall, _ action: ListChange.Action) throws(APIError) -> Step {
        let format = try ListFormat(call.request)
        try call.requireLength()
        let publisher = call.services.publisher
        let reading: ListReading
        do {
            reading = try ListReading.read(call.request.body, format, try key(of: publisher))
        } catch let error as JSONError {
            throw .notJSON(error)
        } catch let error as APIError {
            throw error
        } catch {
            throw .store(.unavailable("\(error)"))
        }
        guard reading.badLines == 0 else { throw .badLines(reading.faults, count: reading.badLines) }
        guard !reading.isTooMuch else {
            throw .invalid("too_many", "a list has at most \(StoredList.maximumCount) ids, the body has more")
        }
        let name = call.parameter("name")
        let change = ListChange(action, name, reading.entries, duplicates: reading.duplicates)
        let request = try request(call, change)
        return .waiting { done in
            publisher.publish(request, reply: Publishing.reply) { done($0) }
        } then: { (outcome: PublishOutcome) throws(APIError) in
            if case .refused(.notFound) = outcome { throw missing(name) }
            return .respond(try Publishing.response(outcome))
        }
    }

    private static func key(of publisher: Publisher) throws(APIError) -> ListKey {
        do throws(StoreError) {
            return try publisher.listKey()
        } catch {
            throw .store(error)
        }
    }

    private static func request(_ call: BackgroundCall, _ change: ListChange) throws(APIError) -> PublishRequest {
        var request = PublishRequest(app: call.parameter("app"), change: .list(change))
        let conditions = WriteConditions(call.request)
        request.precondition = { conditions.hold(for: $0) }
        request.idempotency = try Idempotency.claim(call)
        (request.author, request.listIDs) = (call.author, call.settings.listIDs)
        request.trace = call.trace
        return request
    }

    @Sendable private static func contains(_ call: BackgroundCall) throws(APIError) -> Step {
        let app = try call.app()
        let name = call.parameter("name")
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        reader.refuseUnknown(keys: ["ids"])
        let items = reader.required("ids")?.elements()
        let ids = (items ?? []).prefix(maximumAsked).compactMap { $0.identifier() }
        guard findings.faults.isEmpty, let items else { throw .badRequest(findings.faults) }
        guard (1...maximumAsked).contains(items.count) else {
            throw .invalid(
                "range", "a request asks for 1 to \(maximumAsked) ids, this one for \(items.count)",
                at: JSONPointer(tokens: ["ids"]))
        }
        guard let found = app.contains(ids, in: name) else { throw missing(name) }
        return .respond(.json(200, ["contains": .array(found.map(JSONValue.bool))]))
    }

    private static let maximumAsked = 1000

    @Sendable private static func delete(_ call: Call) throws(APIError) -> Handling {
        let name = call.parameter("name")
        return try Publishing.publish(call, .list(ListChange(.delete, name)), try PublishQuery(call, []))
    }

    private static func missing(_ name: Identifier) -> APIError { .notFound("There is no list \"\(name)\".") }
}

extension ListFormat {
    /// The format that a request's `Content-Type` names. A body without a type is not read.
    init(_ request: Request) throws(APIError) {
        switch MediaType.named(request) {
        case "text/plain": self = .text
        case "text/csv": self = .csv
        case "application/x-ndjson": self = .lines
        case "application/json": self = .json
        default:
            throw .unsupportedMediaType(
                "The ids of a list are text/plain, text/csv, application/x-ndjson or application/json.")
        }
    }
}

extension ListFacts {
    var json: JSONObject {
        [
            "name": .string(name), "of": .string(stored.subject.rawValue),
            "revision": .integer(Int64(stored.revision)), "count": .integer(Int64(stored.count)),
            "at": .string(stored.at.rfc3339), "by": stored.author.isEmpty ? .null : .string(stored.author),
            "used_by": .array(users.map { $0.map(JSONValue.string) ?? .null }),
        ]
    }
}

extension ListReceipt {
    var json: JSONValue {
        var json = list.json
        json["added"] = .integer(Int64(added))
        json["removed"] = .integer(Int64(removed))
        json["duplicates"] = .integer(Int64(duplicates))
        return .object(json)
    }
}
