import BellwetherService
import Testing

@testable import BellwetherAPI

@Suite struct TelemetryCursorTests {
    @Test(arguments: [0, 1, 35, 36, 1_000_000, Int64.max])
    func `What is written is read`(_ cursor: Int64) {
        #expect(TelemetryCursor.parse(TelemetryCursor.text(cursor)) == cursor)
    }

    @Test(
        arguments: [
            "t", "1", "x1", "t-1", "t+1", "t01", "T1", "t1 ", "tA", "t1y2p0ij32e8e8", "tzzzzzzzzzzzzzzzzzzzz",
            "t1\u{0}",
        ])
    func `What nobody wrote is refused`(_ text: String) {
        #expect(TelemetryCursor.parse(text) == nil)
    }

    @Test func `Nothing is the beginning`() {
        #expect(TelemetryCursor.parse("") == 0)
    }
}
