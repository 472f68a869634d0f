import BellwetherJSON
import Foundation

/// Results of a questionnaire with a million runs over 90 days. The rows measure how long an owner waits for them just
/// after a response arrived, how long for the results of a part, and how much memory the results need.
enum RunResultsSpeed {
    private static let slug = "bench-results"
    private static let runs = 1_000_000
    private static let perRequest = 100
    private static let path = "/v1/apps/\(SampleApp.name)/questionnaires/\(slug)/responses"
    private static let results = "/v1/apps/\(SampleApp.name)/results/\(slug)"

    static func rows(_ bench: Workbench) -> [any Benchmark] {
        let filled = Filled(bench)
        return [
            QuantityRow("results of 1,000,000 runs", unit: "ms", limit: .atMost(200)) { round in
                try filled.time(results, newResponse: round)
            },
            QuantityRow("results of 1,000,000 runs, 30 days, submitted only", unit: "ms", limit: .atMost(2_000)) { _ in
                try filled.time(results + "?submitted_only=true&from=2026-02-01&to=2026-03-02", newResponse: nil)
            },
            QuantityRow("results of 1,000,000 runs, by month", unit: "ms", limit: .atMost(50)) { _ in
                try filled.time(results + "?by=month", newResponse: nil)
            },
            QuantityRow("memory of results of 1,000,000 runs", unit: "bytes", limit: .atMost(32_000_000)) { _ in
                try filled.memory()
            },
        ]
    }

    /// A daemon over a directory that another daemon has filled. The first measured row makes it.
    private final class Filled {
        private let bench: Workbench
        private var server: BellwetherServer?

        init(_ bench: Workbench) { self.bench = bench }

        private func running() throws -> BellwetherServer {
            if let server { return server }
            let folder = "\(bench.directory)/run-results"
            try SampleApp(recipes: 10).write(to: folder, from: bench.app)
            let first = try BellwetherServer(on: folder, bench: bench)
            try fill(first.port)
            first.stop()
            let server = try BellwetherServer(on: folder, bench: bench)
            self.server = server
            return server
        }

        private func fill(_ port: Int) throws {
            let connection = try LoopbackClient(port: port)
            let choice = #"[{"id":"a","label":"A"},{"id":"b","label":"B"},{"id":"c","label":"C"}]"#
            let questions = [
                #"{"id":"one","type":"single_choice","title":"?","options":\#(choice)}"#,
                #"{"id":"many","type":"multi_choice","title":"?","options":\#(choice)}"#,
                #"{"id":"stars","type":"rating","title":"?"}"#, #"{"id":"nps","type":"nps","title":"?"}"#,
                #"{"id":"why","type":"text","title":"?"}"#,
            ].joined(separator: ",")
            try connection.publish(
                slug, #"{"kind":"questionnaire","name":"R","schema":{"version":1,"questions":[\#(questions)]}}"#)
            for start in stride(from: 0, to: runs, by: perRequest) {
                let responses = (start..<start + perRequest).map(Self.response).joined(separator: ",")
                let body = #"{"source":"bench","responses":[\#(responses)]}"#
                let answer = try connection.post(path + "/import", type: "application/json", body: Array(body.utf8))
                let imported = try JSONValue(parsing: answer.body).object?["imported"]
                guard answer.status == 200, imported == .integer(Int64(perRequest)) else {
                    throw Failure("an import should be taken: \(answer.status) \(answer.text.prefix(500))")
                }
            }
        }

        /// A submitted response: the daemon would delete drafts with such old dates.
        private static func response(_ number: Int) -> String {
            let (month, day) = (number / 28 % 3 + 1, number % 28 + 1)
            let time = "2026-0\(month)-\(day < 10 ? "0" : "")\(day)T12:00:00Z"
            let (one, two) = (["a", "b", "c"][number % 3], ["b", "c"][number % 2])
            return #"""
                {"id":"\#(number)","created_at":"\#(time)","submitted_at":"\#(time)","answers":{"one":"\#(one)",\#
                "many":["a","\#(two)"],"stars":\#(number % 5 + 1),"nps":\#(number % 11),"why":"text \#(number)"}}
                """#
        }

        /// - Parameter round: a response is submitted first, and the results must include it.
        func time(_ target: String, newResponse round: Int?) throws -> Double {
            let connection = try LoopbackClient(port: try running().port)
            let before = try total(connection.get(target))
            if let round {
                let body = #"{"client_id":"new-\#(round)","answers":{"one":"a"},"is_complete":true}"#
                _ = try connection.post(path, type: "application/json", body: Array(body.utf8))
            }
            let begin = DispatchTime.now().uptimeNanoseconds
            let answer = try connection.get(target)
            let end = DispatchTime.now().uptimeNanoseconds
            let after = try total(answer)
            guard after == before + (round == nil ? 0 : 1), after > 100_000 else {
                throw Failure("\(after) responses are counted after \(before)")
            }
            return Double(end - begin) / 1e6
        }

        private func total(_ answer: LoopbackClient.Response) throws -> Int64 {
            guard answer.status == 200,
                let total = try JSONValue(parsing: answer.body).object?["total_responses"]?.integer
            else {
                throw Failure("results: \(answer.status) \(answer.text.prefix(500))")
            }
            return total
        }

        /// The growth of the daemon's memory over ten requests for results.
        func memory() throws -> Double {
            let server = try running()
            let connection = try LoopbackClient(port: server.port)
            let before = try ProcessUsage.resident(of: server.pid)
            for _ in 0..<10 { _ = try connection.get(results) }
            return max(0, try ProcessUsage.resident(of: server.pid) - before) * 1_000_000
        }
    }
}
