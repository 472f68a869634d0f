import BellwetherJSON
import TestSupport
import Testing

/// gzip for bodies above 1 KiB when the client accepts it (docs/reference/http-api.md#compression).
@Suite struct CompressionTests {
    private func large() throws -> TestApp {
        let app = try TestApp()
        try app.publish("r", Sample.message("m", ["text": .string(String(repeating: "long ", count: 1000))]))
        return app
    }

    @Test func `curl gets the same body compressed and plain`() throws {
        let app = try large()
        let url = "http://127.0.0.1:\(app.server.port)\(app.path)/messages?client_id=c"
        let plain = try Command.curl(url)
        let compressed = try Command.curl("--compressed", "--dump-header", "/dev/stderr", url)
        #expect(compressed.output == plain.output)
        #expect(compressed.errors.contains("Content-Encoding: gzip"))
    }

    @Test(
        arguments: [
            ("gzip", true), ("GZIP", true), ("br, gzip;q=0.5", true), ("*", true), ("identity", false),
            ("gzip;q=0", false), ("br", false), ("*;q=0", false), ("gzip;q=0, *", false),
        ])
    func `Only who accepts gzip gets it`(_ accepted: String, _ isCompressed: Bool) throws {
        let app = try large()
        let answer = try app.poll(headers: ["Accept-Encoding": accepted])
        #expect((answer.header("Content-Encoding") == "gzip") == isCompressed)
        #expect(answer.header("Vary") == "Accept-Encoding")
        #expect(answer.body.starts(with: [0x1F, 0x8B]) == isCompressed)
        #expect((answer.body.count < 1024) == isCompressed)
    }

    @Test func `A compressed answer's tag still gives 304`() throws {
        let app = try large()
        let answer = try app.poll(headers: ["Accept-Encoding": "gzip"])
        let tag = try #require(answer.header("ETag"))
        #expect(tag.hasPrefix("W/\""))
        let again = try app.poll(headers: ["Accept-Encoding": "gzip", "If-None-Match": tag])
        #expect(again.status == 304)
        #expect(again.body.isEmpty)
    }

    @Test func `A small body is sent as it is`() throws {
        let answer = try TestApp().poll(headers: ["Accept-Encoding": "gzip"])
        #expect(answer.header("Content-Encoding") == nil)
        #expect(answer.json["messages"] == [])
    }
}
