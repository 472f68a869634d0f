import BellwetherJSON

/// A write that a client requests. A repeated request has no further effect.
struct CrashOperation: Sendable {
    enum Kind: Sendable {
        case visits(Int)
        case display
        case answer
    }

    let client: String
    let kind: Kind
    let path: String
    let body: String

    /// Visits whose event ids begin with a name.
    static func visits(_ count: Int, by client: String, named name: String) -> CrashOperation {
        let events = (0..<count).map { #"{"type":"behavior","name":"visit","id":"\#(name)-\#($0)"}"# }
        return CrashOperation(
            client: client, kind: .visits(count), path: "\(CrashApp.path)/events",
            body: #"{"client_id":"\#(client)","events":[\#(events.joined(separator: ","))]}"#)
    }

    /// One event that counts several visits.
    static func visit(times count: Int, by client: String, named name: String) -> CrashOperation {
        CrashOperation(
            client: client, kind: .visits(1), path: "\(CrashApp.path)/events",
            body: """
                {"client_id":"\(client)","events":[{"type":"behavior","name":"visit","id":"\(name)","count":\(count)}]}
                """)
    }

    static func display(of message: String, to client: String, named name: String) -> CrashOperation {
        CrashOperation(
            client: client, kind: .display, path: "\(CrashApp.path)/events",
            body: """
                {"client_id":"\(client)","events":[{"type":"message","action":"displayed","message":"\(message)",\
                "id":"\(name)"}]}
                """)
    }

    static func answer(to message: String, by client: String) -> CrashOperation {
        CrashOperation(
            client: client, kind: .answer, path: "\(CrashApp.path)/responses",
            body: #"{"client_id":"\#(client)","message":"\#(message)","option":"1","id":"\#(message)"}"#)
    }

    func send(on connection: LoopbackClient) throws -> LoopbackClient.Response {
        try connection.post(path, type: "application/json", body: Array(body.utf8))
    }

    /// Checks the response to the first request.
    func check(_ answer: LoopbackClient.Response) throws {
        switch kind {
        case .visits(let count): try require(answer, status: 200, accepted: count, duplicates: 0)
        case .display: try require(answer, status: 200, accepted: 1, duplicates: 0)
        case .answer: guard answer.status == 201 else { throw fault("answered", answer) }
        }
    }

    /// Checks that an acknowledged operation is stored: the repeated request changes nothing.
    func checkRepeated(_ answer: LoopbackClient.Response, first: [UInt8]) throws {
        switch kind {
        case .visits(let count): try require(answer, status: 200, accepted: 0, duplicates: count)
        case .display: try require(answer, status: 200, accepted: 0, duplicates: 1)
        case .answer:
            guard answer.status == 200, answer.body == first else { throw fault("acknowledged, and now", answer) }
        }
    }

    /// Checks that an operation that was under way at the kill is stored completely or not at all.
    func checkUnderWay(_ answer: LoopbackClient.Response) throws {
        if case .answer = kind {
            guard [200, 201].contains(answer.status) else { throw fault("under way, and now", answer) }
            return
        }
        let count = if case .visits(let count) = kind { count } else { 1 }
        let isNew = (try? require(answer, status: 200, accepted: count, duplicates: 0)) != nil
        if !isNew { try require(answer, status: 200, accepted: 0, duplicates: count) }
    }

    private func require(
        _ answer: LoopbackClient.Response, status: Int, accepted: Int, duplicates: Int
    ) throws {
        let receipt = try answer.json.object
        guard answer.status == status, receipt?["accepted"]?.integer == Int64(accepted),
            receipt?["duplicates"]?.integer == Int64(duplicates), receipt?["rejected"]?.array == []
        else { throw fault("\(accepted) accepted, \(duplicates) duplicates wanted", answer) }
    }

    private func fault(_ what: String, _ answer: LoopbackClient.Response) -> Failure {
        Failure("\(client), \(body): \(what): \(answer.status) \(answer.text)")
    }
}
