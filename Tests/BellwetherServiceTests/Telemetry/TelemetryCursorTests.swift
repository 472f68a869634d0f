import BellwetherService
import Testing

@Suite struct TelemetryCursorTests {
    @Test(
        arguments: [1, 35, 36, 1_000_000, Int64.max], [nil, 1, 36, Int32.max] as [Int32?])
    func `What is written is read`(_ number: Int64, _ database: Int32?) {
        let cursor = TelemetryCursor(number: number, database: database)
        #expect(TelemetryCursor(text: cursor.text) == cursor)
    }

    @Test func `A cursor is the number and the database, in base 36`() {
        #expect(TelemetryCursor(number: 36, database: 37).text == "t10-11")
        #expect(TelemetryCursor(text: "t7") == TelemetryCursor(number: 7, database: nil))
    }

    @Test(
        arguments: [
            "t", "1", "x1", "t-1", "t+1", "t01", "T1", "t1 ", "tA", "t1y2p0ij32e8e8", "tzzzzzzzzzzzzzzzzzzzz",
            "t1\u{0}", "t1-", "t1-0", "t1--1", "t1-+1", "t1-01", "t1-A", "t1-1-1", "t1-zik0zk", "t-1-1", "t0-1", "-1",
        ])
    func `What nobody wrote is refused`(_ text: String) {
        #expect(TelemetryCursor(text: text) == nil)
    }

    @Test(arguments: ["", "t0"])
    func `Nothing is the beginning`(_ text: String) {
        #expect(TelemetryCursor(text: text) == .start)
        #expect(TelemetryCursor.start.text == "")
    }
}
