import BellwetherBase
import BellwetherCore
import Testing

@Suite struct GoldenFileTests {
    @Test func `What was written is read back`() throws {
        let time = try #require(Timestamp(rfc3339: "2026-03-10T12:00:00.25Z"))
        let exchanges = [
            GoldenExchange(request: GoldenRequest(time: time, target: "/a?b=c"), answer: "200\nETag: \"x\"\n\n{}"),
            GoldenExchange(
                request: GoldenRequest(
                    time: time, worker: 1, method: "POST", target: "/a", headers: ["If-None-Match: {tag 0}", "A: b"],
                    body: "{\"a\": 1}\n\n{\"b\": \"> < = >> \"}\n"), answer: "304"),
            GoldenExchange(request: GoldenRequest(time: time, target: "/a"), answer: "200\nETag: \"x\"\n\n{}"),
            GoldenExchange(request: GoldenRequest(time: time, target: "/t"), answer: "200\n\n{\"c\":1}\n{\"c\":2}"),
        ]
        let text = GoldenFile.text(exchanges)
        #expect(text.contains("\n= 0\n"))
        #expect(try GoldenFile.exchanges(text) == exchanges)
    }
}
