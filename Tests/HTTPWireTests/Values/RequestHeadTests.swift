import Testing

@testable import HTTPWire

struct RequestHeadTests {
    @Test func `Each known field has a slot`() {
        let head = RequestHead()
        #expect(head.slots.count == KnownHeader.allCases.count)
        #expect(KnownHeader.allCases.count <= head.repeated.bitWidth)
    }
}
