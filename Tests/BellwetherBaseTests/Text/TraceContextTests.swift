import BellwetherBase
import Testing

/// The rules of W3C Trace Context for `traceparent`, with the cases of its own test suite.
@Suite struct TraceContextTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let span = "b7ad6b7169203331"
    private static let zeros = String(repeating: "0", count: 32)

    private static func context(_ parent: String, _ state: String? = nil) -> TraceContext? {
        TraceContext(parent: Array(parent.utf8)[...], state: state.map { Array($0.utf8)[...] })
    }

    @Test(
        arguments: [
            "00-\(trace)-\(span)-00": 0, "00-\(trace)-\(span)-01": 1, "00-\(trace)-\(span)-03": 3,
            // Only the flags that are defined are kept.
            "00-\(trace)-\(span)-ff": 3, "00-\(trace)-\(span)-08": 0,
            // A later version may append parts, behind a hyphen.
            "01-\(trace)-\(span)-01": 1, "cc-\(trace)-\(span)-01": 1, "cc-\(trace)-\(span)-01-": 1,
            "cc-\(trace)-\(span)-01-what-the-future-will-be-like": 1, "fe-\(trace)-\(span)-01-a, b": 1,
        ] as [String: UInt8])
    func `A valid value has the ids and the flags`(_ value: String, _ flags: UInt8) throws {
        let context = try #require(Self.context(value))
        #expect(context.traceID == Self.trace && context.parentID == Self.span)
        #expect(context.flags == flags && context.state == nil)
    }

    @Test(
        arguments: [
            "", "00", "00-", "00-\(trace)-\(span)", "00-\(trace)-\(span)-", "00-\(trace)-\(span)-0",
            // Version 00 has 55 bytes.
            "00-\(trace)-\(span)-01-", "00-\(trace)-\(span)-01-what", "00-\(trace)-\(span)-011",
            "00-\(trace)-\(span)-01 ",
            "cc-\(trace)-\(span)-01.what", "cc-\(trace)-\(span)-01, cc-\(trace)-\(span)-01", "cc-\(trace)-\(span)-0",
            "ff-\(trace)-\(span)-01", "ff-\(trace)-\(span)-01-x",
            "00-\(zeros)-\(span)-01", "00-\(trace)-\(zeros.prefix(16))-01",
            // Digits are in lower case.
            "00-\(trace.uppercased())-\(span)-01", "00-\(trace)-\(span.uppercased())-01", "00-\(trace)-\(span)-0A",
            "0A-\(trace)-\(span)-01", "CC-\(trace)-\(span)-01",
            "00-.\(trace.dropFirst())-\(span)-01", "00-\(trace)-\(span.dropLast()).-01", "00-\(trace)-\(span)-.0",
            ".0-\(trace)-\(span)-01", "00-\(trace.dropLast())-\(span)-01x", "00-\(trace.dropLast())-\(span)0-01",
            "0-0\(trace)-\(span)-01", "00_\(trace)-\(span)-01", "00-\(trace)_\(span)-01", "00-\(trace)-\(span)_01",
            "000-\(trace.dropLast())-\(span)-01", " 00-\(trace)-\(span)-01", "\(trace)-\(span)-01-00-ffffff",
            "00-\(trace)-\(span)-é",
        ])
    func `An invalid value gives none`(_ value: String) {
        #expect(Self.context(value) == nil)
    }

    @Test func `The state stays as it came, up to 512 bytes`() throws {
        let parent = "00-\(Self.trace)-\(Self.span)-01"
        let longest = "a=" + String(repeating: "x", count: 510)
        for state in ["foo=1", "foo=1,bar=2", "foo=1,  \t bar=2, ,", "foo=1, foo=2", "not a list", longest] {
            #expect(Self.context(parent, state)?.state == state)
        }
        for state in ["", longest + "x", "foo=ü", "foo=\u{7F}"] {
            let context = try #require(Self.context(parent, state))
            #expect(context.state == nil)
        }
        #expect(Self.context("00-\(Self.trace)-\(Self.span)-1", "foo=1") == nil)
    }

    @Test func `A request of the same trace has another span, in version 00`() throws {
        let context = try #require(Self.context("cc-\(Self.trace)-\(Self.span)-03-more"))
        #expect(context.parent(span: 0x1f) == "00-\(Self.trace)-000000000000001f-03")
        #expect(context.parent(span: .max) == "00-\(Self.trace)-ffffffffffffffff-03")
        let next = try #require(Self.context(context.parent(span: 1)))
        #expect(next.traceID == context.traceID && next.flags == 3 && next.parentID == "0000000000000001")
    }

    @Test func `The stored form is read again`() throws {
        for state in [nil, "foo=1", "foo=1,  bar=2"] {
            let context = try #require(Self.context("00-\(Self.trace)-\(Self.span)-02", state))
            #expect(TraceContext(stored: context.stored) == context)
        }
        for broken in ["", " ", "00-x foo=1", "foo=1"] { #expect(TraceContext(stored: broken) == nil) }
    }
}
