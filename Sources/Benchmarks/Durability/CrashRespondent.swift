import BellwetherJSON
import Foundation
import TestSupport

/// One thread of load. Its clients save drafts of a questionnaire, submit some of them, and go through a flow, one step
/// after the other. It ends when the daemon stops.
struct CrashRespondent: Sendable {
    let round: Int
    let port: Int
    let seed: UInt64

    private static let clients = 10
    private static let questions = 5
    private static let steps = 30

    /// The answers of a client, and its step in the flow.
    struct Standing: Sendable, Equatable {
        var answers: [String: String] = [:]
        var isSubmitted = false
        /// The number of completed steps; nil if the flow has not begun.
        var steps: Int?
    }

    /// The record of the respondent's requests.
    struct Record: Sendable {
        var standings: [String: Standing] = [:]
        var acknowledged = 0
        /// The state that results if the daemon stored the requests under way at the kill.
        var underWay: (client: String, standing: Standing)?
        /// A state that is wrong at whatever moment the kill came.
        var fault: String?
    }

    private static func questionnaireSlug(_ round: Int) -> String { "drafts-\(round)" }
    private static func flowSlug(_ round: Int) -> String { "walk-\(round)" }

    /// Publishes a questionnaire and a flow that are new in each round.
    static func publish(_ round: Int, on owner: LoopbackClient) throws {
        let questions = (0..<questions).map { #"{"id":"q\#($0)","type":"text","title":"Why?"}"# }
        let questionnaire = """
            {"kind":"questionnaire","name":"Drafts","schema":{"version":1,"questions":[\(questions.joined(separator: ","))]}}
            """
        try CrashApp.put(questionnaireSlug(round), questionnaire, on: owner)
        let steps = (0..<steps).map { #"{"id":"s\#($0)","type":"welcome","config":{"title":"On"}}"# }
        let flow = """
            {"kind":"flow","id":"\(flowSlug(round))","name":"Walk","version":1,"steps":[\(steps.joined(separator: ","))]}
            """
        try CrashApp.put(flowSlug(round), flow, on: owner)
    }

    func run() -> Record {
        var record = Record()
        var generator = SeededGenerator(seed: seed)
        var runs: [String: String] = [:]
        guard let connection = try? LoopbackClient(port: port) else { return record }
        while record.fault == nil {
            // A respondent has at most 100 runs, so each round has its own clients.
            let client = "respondent-\(round)-\(Int.random(in: 0..<Self.clients, using: &generator))"
            let known = record.standings[client] ?? Standing()
            var next = known
            let request: (path: String, body: String)
            if !known.isSubmitted, Bool.random(using: &generator) {
                request = save(client, &next, number: record.acknowledged, &generator)
            } else if let step = known.steps {
                guard step < Self.steps - 1, let run = runs[client] else { continue }
                next.steps = step + 1
                let body = #"{"step_id":"s\#(step)","response":{},"action":"next","id":"\#(client)-\#(step)"}"#
                request = ("runs/\(run)/advance", body)
            } else {
                next.steps = 0
                request = ("flows/\(Self.flowSlug(round))/runs", #"{"client_id":"\#(client)"}"#)
            }
            record.underWay = (client, next)
            let path = "\(CrashApp.path)/\(request.path)"
            guard let answer = try? connection.post(path, type: "application/json", body: Array(request.body.utf8))
            else { return record }
            guard [200, 201].contains(answer.status), let json = try? answer.json.object else {
                record.fault = "\(client), \(request.body): \(answer.status) \(answer.text)"
                return record
            }
            if let run = json["run_id"]?.string { runs[client] = run }
            (record.standings[client], record.underWay) = (next, nil)
            record.acknowledged += 1
        }
        return record
    }

    private func save(
        _ client: String, _ next: inout Standing, number: Int, _ generator: inout SeededGenerator
    ) -> (path: String, body: String) {
        let question = "q\(Int.random(in: 0..<Self.questions, using: &generator))"
        next.answers[question] = "answer \(number)"
        next.isSubmitted = Int.random(in: 0..<20, using: &generator) == 0
        let body = """
            {"client_id":"\(client)","answers":{"\(question)":"answer \(number)"},"is_complete":\(next.isSubmitted)}
            """
        return ("questionnaires/\(Self.questionnaireSlug(round))/responses", body)
    }

    /// Checks that each client's state is the result of its last acknowledged request, or of the one that was under
    /// way.
    static func check(_ record: Record, _ round: Int, on connection: LoopbackClient) throws {
        if let fault = record.fault { throw Failure(fault) }
        var clients = Set(record.standings.keys)
        if let underWay = record.underWay { clients.insert(underWay.client) }
        for client in clients.sorted() {
            let found = try standing(of: client, round, on: connection)
            let acknowledged = record.standings[client] ?? Standing()
            let isUnderWay = record.underWay.map { $0.client == client && $0.standing == found } ?? false
            guard found == acknowledged || isUnderWay else {
                throw Failure("\(client) was acknowledged \(acknowledged), and now \(found)")
            }
        }
    }

    private static func standing(
        of client: String, _ round: Int, on connection: LoopbackClient
    ) throws -> Standing {
        let answer = try connection.get("\(CrashApp.path)/clients/\(client)/export")
        guard answer.status == 200, let runs = try answer.json.object?["responses"]?.array else {
            throw Failure("\(client): \(answer.status) \(answer.text)")
        }
        var standing = Standing()
        for run in runs.compactMap(\.object) {
            if run["slug"]?.string == questionnaireSlug(round) {
                for (question, text) in run["answers"]?.object ?? [:] { standing.answers[question] = text.string }
                standing.isSubmitted = run["status"]?.string == "new"
            } else if let id = run["id"]?.string {
                let answer = try connection.get("\(CrashApp.path)/runs/\(id)")
                standing.steps = try answer.json.object?["step_index"]?.integer.map { Int($0) }
            }
        }
        return standing
    }
}
