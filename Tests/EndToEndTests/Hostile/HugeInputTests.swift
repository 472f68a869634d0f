import BellwetherJSON
import Gzip
import TestSupport
import Testing

/// Inputs whose parts are allowed, but which are too large together: they are limited, with a clear error.
@Suite struct HugeInputTests {
    private func lines(_ count: Int, _ line: (Int) -> String) -> [UInt8] {
        Array((0..<count).map { line($0) + "\n" }.joined().utf8)
    }

    private func post(_ app: TestApp, lines: [UInt8]) throws -> HTTPResponse {
        let headers = ["Content-Type": "application/x-ndjson"]
        return try app.server.send("POST", "\(app.path)/events", headers: headers, body: lines)
    }

    @Test func `A hundred thousand event names of one client`() throws {
        let daemon = try Daemon()
        let app = try TestApp(on: daemon)
        _ = try post(app, lines: lines(1) { _ in #"{"client_id":"c","type":"behavior","name":"first"}"# })
        try expectMemory(of: daemon, within: 60) {
            var accepted: Int64 = 1
            for batch in 0..<10 {
                let body = lines(10_000) { #"{"client_id":"c","type":"behavior","name":"n\#(batch * 10_000 + $0)"}"# }
                let answer = try post(app, lines: body)
                #expect(answer.status == 200)
                accepted += answer.json["accepted"].integer ?? 0
                let rejected = answer.json["rejected"].array ?? []
                #expect(Set(rejected.map { $0["code"].string }) == ["too_many_names"])
            }
            #expect(accepted == 500)
        }
        let known = try app.record("c", Event.behavior("first"))
        #expect(known["accepted"] == 1, "a name that is known still counts")
    }

    @Test func `A batch that is one too many`() throws {
        let app = try TestApp()
        let line = #"{"client_id":"c","type":"behavior","name":"n"}"#
        #expect(try post(app, lines: lines(10_000) { _ in line }).json["accepted"] == 10_000)
        #expect(places(expectProblem(try post(app, lines: lines(10_001) { _ in line }), 422)) == [" too_many"])
        let events = JSONValue.array(Array(repeating: Event.behavior("n"), count: 1001))
        let batch = try app.server.post("\(app.path)/events", ["client_id": "c", "events": events])
        #expect(places(expectProblem(batch, 422)) == ["/events too_many"])
    }

    @Test func `Fifty thousand attributes in one request, a hundred thousand over many`() throws {
        let daemon = try Daemon(["--dev", "--workers", "1"])
        let app = try TestApp(on: daemon)
        #expect(try app.poll().status == 200)
        try expectMemory(of: daemon, within: 100) {
            let context = JSONObject((0..<50_000).map { (key: "a\($0)", value: 1) })
            let answer = try daemon.post("\(app.path)/messages", ["client_id": "c", "context": .object(context)])
            #expect(answer.status == 200)
            let more = JSONObject((0..<110_000).map { (key: "a\($0)", value: 1) })
            expectProblem(
                try daemon.post("\(app.path)/messages", ["client_id": "c", "context": .object(more)]), 413)
            let connection = try daemon.connect()
            for start in stride(from: 0, to: 100_000, by: 250) {
                let query = (start..<(start + 250)).map { "&a\($0)=1" }.joined()
                try connection.send("GET", "\(app.path)/messages?client_id=c\(query)")
                #expect(try connection.receive().status == 200)
            }
        }
    }

    @Test func `Ten thousand different contexts, and as many clients`() throws {
        let daemon = try Daemon(["--dev", "--workers", "1"])
        let app = try TestApp(on: daemon)
        try app.publish("r", Sample.message("m"))
        #expect(try app.keys() == ["m"])
        try expectMemory(of: daemon, within: 100) {
            let connection = try daemon.connect()
            for number in 0..<10_000 {
                let name = "\(number)-\(String(repeating: "x", count: 100))"
                try connection.send("GET", "\(app.path)/messages?client_id=\(name)&plan=\(name)&locale=de")
                #expect(try connection.receive().status == 200)
            }
        }
    }

    @Test func `Documents of millions of values`() throws {
        let daemon = try Daemon()
        let app = try TestApp(on: daemon)
        let path = "\(app.path)/recipes/r"
        for (item, code) in [("0,", "json_count"), ("[", "json_depth"), ("{\"a\":", "json_depth")] {
            let text = #"{"messages":["# + String(repeating: item, count: (15 << 20) / item.utf8.count)
            let answer = try daemon.send("PUT", path, body: Array(text.utf8))
            #expect(places(expectProblem(answer, 400)) == [" \(code)"])
        }
        #expect(try app.poll().status == 200)
    }

    @Test func `Two hundred previews of a recipe of half a megabyte`() throws {
        let daemon = try Daemon(["--dev", "--workers", "1"])
        let app = try TestApp(on: daemon)
        let text = JSONValue.string(String(repeating: "x", count: 1 << 19))
        try app.publish("r", .object((Sample.message("m").object ?? [:]).merging("x-note", text)))
        func preview() throws -> HTTPResponse { try daemon.send("POST", "\(app.path)/recipes/r/preview") }
        #expect(try preview().status == 200)
        try expectMemory(of: daemon, within: 60) {
            let statuses = try (0..<200).map { _ in try preview().status }
            #expect(Set(statuses) == [200])
        }
        #expect(try daemon.get(preview().json["url"].string ?? "").status == 200)
    }

    @Test func `Bodies that expand to much are refused before that`() throws {
        let daemon = try Daemon(["--dev", "--workers", "1"])
        let app = try TestApp(on: daemon)
        let bomb = try #require(Deflation.gzip([UInt8](repeating: 0x20, count: 64 << 20), level: 9))
        let headers = ["Content-Encoding": "gzip", "Content-Type": "application/json"]
        try expectMemory(of: daemon, within: 40) {
            for (method, path) in [
                ("POST", "events"), ("POST", "messages"), ("PUT", "recipes/r"), ("POST", "runs/x/advance"),
            ] {
                for _ in 0..<8 {
                    let answer = try daemon.send(method, "\(app.path)/\(path)", headers: headers, body: bomb)
                    expectProblem(answer, 413)
                }
            }
        }
        #expect(try app.poll().status == 200)
    }
}
