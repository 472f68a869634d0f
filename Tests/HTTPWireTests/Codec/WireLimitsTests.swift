import HTTPWire
import Testing

struct WireLimitsTests {
    private static func limits(head: Int = 400, count: Int = 4, target: Int = 50) -> WireLimits {
        var limits = WireLimits()
        limits.headBytes = head
        limits.headerCount = count
        limits.targetBytes = target
        return limits
    }

    static let cases: [WireCase] = [
        .line(
            "target at the limit", "GET /" + String(repeating: "a", count: 49) + " HTTP/1.1",
            "GET /" + String(repeating: "a", count: 49)),
        .line(
            "target over the limit", "GET /" + String(repeating: "a", count: 50) + " HTTP/1.1", "414 target_too_long"),
        .line("target far over the limit", "GET /" + String(repeating: "a", count: 5000), "414 target_too_long"),
        WireCase("an endless request line", String(repeating: "a", count: 5000), "414 target_too_long"),
        .field("fields at the limit", "A: b\r\nC: d\r\nE: f", "GET /"),
        .field("fields over the limit", "A: b\r\nC: d\r\nE: f\r\nG: h", "431 too_many_fields"),
        .field("a head too large", "A: " + String(repeating: "b", count: 400), "431 head_too_large"),
        .field("a head too large in small lines", "A: \(long)\r\nB: \(long)\r\nC: \(long)", "431 head_too_large"),
        WireCase(
            "an endless field", "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "b", count: 5000),
            "431 head_too_large"),
        WireCase(
            "10,000 fields", "GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 10_000), "431 too_many_fields"),
    ]

    private static var long: String { String(repeating: "b", count: 150) }

    @Test(arguments: cases, Transcript.Feeding.allCases)
    func limit(_ wire: WireCase, _ feeding: Transcript.Feeding) {
        #expect(Transcript(wire.bytes, feeding, limits: Self.limits()).lines == wire.expected)
    }

    @Test func `A head of exactly the limit is read`() {
        let head = "GET / HTTP/1.1\r\nHost: a\r\nX: "
        for (length, expected) in [(400, "GET /"), (401, "431 head_too_large")] {
            let text = head + String(repeating: "b", count: length - head.utf8.count - 4) + "\r\n\r\n"
            for feeding in Transcript.Feeding.allCases {
                #expect(Transcript(Array(text.utf8), feeding, limits: Self.limits()).lines == [expected])
            }
        }
    }

    @Test(arguments: WireFault.allCases)
    func `Every fault has its problem document`(_ fault: WireFault) {
        let problem = fault.problem
        #expect(problem.status == fault.status)
        #expect((400...599).contains(problem.status))
        #expect(problem.detail?.hasSuffix(".") == true)
        #expect(problem.detail != "The request could not be read.")
    }
}
