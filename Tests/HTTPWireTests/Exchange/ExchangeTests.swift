import HTTPWire
import TestSupport
import Testing

struct ExchangeTests {
    private final class Recorder: ResponseSlot {
        var statuses: [Int] = []
        var abandoned = 0
        override func reply(_ response: Response) { statuses.append(response.status) }
        override func abandon() { abandoned += 1 }
    }

    @Test func `An answer is given once`() {
        let recorder = Recorder()
        let exchange = Exchange(recorder)
        exchange.reply(Response(204))
        #expect(recorder.statuses == [204])
        #expect(recorder.abandoned == 0)
    }

    @Test func `A dropped exchange is abandoned`() {
        let recorder = Recorder()
        do { _ = Exchange(recorder) }
        #expect(recorder.statuses == [])
        #expect(recorder.abandoned == 1)
    }

    @Test func `A parked exchange can be answered later, once`() {
        let recorder = Recorder()
        let parked = ParkedExchange(Exchange(recorder))
        #expect(recorder.abandoned == 0)
        parked.reply(Response(200))
        parked.reply(Response(500))
        #expect(recorder.statuses == [200])
        #expect(recorder.abandoned == 0)
        let isTaken = parked.take() == nil
        #expect(isTaken)
    }

    @Test func `A parked exchange that is forgotten is abandoned`() {
        let recorder = Recorder()
        do { _ = ParkedExchange(Exchange(recorder)) }
        #expect(recorder.abandoned == 1)
    }

    @Test func `An exchange keeps its slot and lets it go`() {
        weak var slot: Recorder?
        do {
            let exchange: Exchange
            do {
                let recorder = Recorder()
                slot = recorder
                exchange = Exchange(recorder)
            }
            #expect(slot != nil)
            exchange.reply(Response(200))
        }
        #expect(slot == nil)
    }
}
