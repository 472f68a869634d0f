import BellwetherJSON
import Surveys
import TestSupport

/// One thread of load. Its clients answer a flow that has a quota, with a picture that others send, too, and are
/// erased. It ends when the daemon stops.
struct CrashEraser: Sendable {
    let round: Int
    let port: Int
    /// Tells the clients of several threads apart.
    let number: Int
    let seed: UInt64

    private static let clients = 8
    private static let quota = 6
    private static let pictures = (0..<3).map { FlowFile(type: "image/png", content: [0, 0, $0]) }
    private static let texts = ["AAAA", "AAAB", "AAAC"].map { "data:image/png;base64," + $0 }

    /// The stored state of a client.
    enum Standing: Sendable, Equatable {
        case nothing
        case begun
        /// The digest of the picture.
        case answered(String)
        /// The quota was full.
        case screenedOut
    }

    /// The record of the thread's requests.
    struct Record: Sendable {
        var standings: [String: Standing] = [:]
        var acknowledged = 0
        /// The states that may result if the daemon stored the request under way at the kill.
        var underWay: (client: String, standings: [Standing])?
        /// A state that is wrong at whatever moment the kill came.
        var fault: String?
    }

    private static func slug(_ round: Int) -> String { "pictures-\(round)" }

    /// Publishes a flow that is new in each round.
    static func publish(_ round: Int, on owner: LoopbackClient) throws {
        let flow = """
            {"kind":"flow","id":"\(slug(round))","name":"Pictures","version":1,"steps":[
             {"id":"a","type":"form","config":{"fields":[{"id":"n","type":"number"},{"id":"p","type":"image_picker"}]}},
             {"id":"b","type":"welcome","config":{"title":"On"}}],
             "offer":{"surface":"survey","text":"A minute?","pacing":{"quotas":[
              {"name":"five","when":{"ref":"step.a.n","op":"eq","value":5},"limit":\(quota)}]}}}
            """
        try CrashApp.put(slug(round), flow, on: owner)
    }

    private struct Step {
        var method = "POST"
        let path: String
        var body = ""
        let next: [Standing]
    }

    func run() -> Record {
        var record = Record()
        var generator = SeededGenerator(seed: seed)
        var runs: [String: String] = [:]
        guard let connection = try? LoopbackClient(port: port) else { return record }
        while true {
            let client = "eraser-\(round)-\(number)-\(Int.random(in: 0..<Self.clients, using: &generator))"
            let step = step(of: client, record.standings[client] ?? .nothing, runs[client], &generator)
            record.underWay = (client, step.next)
            guard let answer = try? send(step, on: connection) else { return record }
            // No run begins while the quota is full.
            if answer.status == 409, step.next == [.begun] { continue }
            guard [200, 201, 204].contains(answer.status) else {
                record.fault = "\(client), \(step.path): \(answer.status) \(answer.text)"
                return record
            }
            let json = try? answer.json.object
            if let run = json?["run_id"]?.string { runs[client] = run }
            let isScreenedOut = json?["outcome"]?.object?["reason"]?.string == "screened_out"
            record.standings[client] = isScreenedOut ? .screenedOut : step.next.first
            record.underWay = nil
            record.acknowledged += 1
        }
    }

    private func step(
        of client: String, _ standing: Standing, _ run: String?, _ generator: inout SeededGenerator
    ) -> Step {
        switch (standing, run) {
        case (.nothing, _):
            let path = "flows/\(Self.slug(round))/runs"
            return Step(path: path, body: #"{"client_id":"\#(client)"}"#, next: [.begun])
        case (.begun, let run?):
            let picture = Int.random(in: 0..<Self.pictures.count, using: &generator)
            let body = #"{"step_id":"a","action":"next","response":{"n":5,"p":"\#(Self.texts[picture])"}}"#
            let answered = Standing.answered(Self.pictures[picture].reference.sha256)
            return Step(path: "runs/\(run)/advance", body: body, next: [answered, .screenedOut])
        default: return Step(method: "DELETE", path: "clients/\(client)", next: [.nothing])
        }
    }

    private func send(_ step: Step, on connection: LoopbackClient) throws -> LoopbackClient.Response {
        let path = "\(CrashApp.path)/\(step.path)"
        guard step.method == "POST" else {
            try connection.send(HTTPText.request(step.method, path, body: []))
            return try connection.answer()
        }
        return try connection.post(path, type: "application/json", body: Array(step.body.utf8))
    }

    /// Checks that each client's state is the one of its last acknowledged request, or of the request under way, that
    /// each picture is there, and that the quota counts the runs that have a place, and no others.
    static func check(_ records: [Record], _ round: Int, on connection: LoopbackClient) throws {
        var taken = 0
        for record in records {
            if let fault = record.fault { throw Failure(fault) }
            for client in Set(record.standings.keys).union(record.underWay.map { [$0.client] } ?? []).sorted() {
                let found = try standing(of: client, round, on: connection)
                let known = record.standings[client] ?? .nothing
                let isUnderWay = record.underWay.map { $0.client == client && $0.standings.contains(found) } ?? false
                guard found == known || isUnderWay else {
                    throw Failure("\(client) was acknowledged \(known), and now \(found)")
                }
                guard case .answered(let sha256) = found else { continue }
                taken += 1
                let file = try connection.get("\(CrashApp.path)/files/\(sha256)")
                guard file.status == 200 else { throw Failure("the picture of \(client): \(file.status)") }
            }
        }
        let results = try connection.get("\(CrashApp.path)/results/\(slug(round))")
        let counted = try results.json.object?["quotas"]?.array?.first?.object?["taken"]?.integer
        guard counted == Int64(taken) else {
            throw Failure("\(taken) runs have a place, and the quota counts \(counted.map { "\($0)" } ?? "none")")
        }
    }

    private static func standing(
        of client: String, _ round: Int, on connection: LoopbackClient
    ) throws -> Standing {
        let answer = try connection.get("\(CrashApp.path)/clients/\(client)/export")
        guard answer.status == 200, let runs = try answer.json.object?["responses"]?.array?.compactMap(\.object) else {
            throw Failure("\(client): \(answer.status) \(answer.text)")
        }
        let own = runs.filter { $0["slug"]?.string == slug(round) }
        guard own.count <= 1 else { throw Failure("\(client) has \(own.count) runs") }
        guard let run = own.first else { return .nothing }
        if run["status"]?.string == "screened_out" { return .screenedOut }
        let text = JSONValue.object(run).text
        let digests = pictures.map(\.reference.sha256).filter { text.contains($0) }
        return digests.first.map { .answered($0) } ?? .begun
    }
}
