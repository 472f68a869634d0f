import BellwetherCore
import Testing

@testable import BellwetherAPI
@testable import BellwetherService

@Suite struct RememberedDeliveriesTests {
    private static let noon = Timestamp(seconds: 1_800_000_000)
    private static let nothing = Delivery(offers: [], effects: DeliveryEffects())

    private func key(_ client: Int, context: UInt64 = 1, version: UInt64 = 1) -> RememberedDeliveries.Key {
        RememberedDeliveries.Key(client: client, context: context, version: version)
    }

    private func isKnown(
        _ key: RememberedDeliveries.Key, _ memory: RememberedDeliveries, after seconds: Int64 = 0
    ) -> Bool {
        memory.delivery(key, at: Self.noon.adding(seconds: seconds)) != nil
    }

    private func remembering(
        _ keys: [RememberedDeliveries.Key], bound: Int = 4096, seconds: Int64 = 60
    ) -> RememberedDeliveries {
        let memory = RememberedDeliveries(bound: bound)
        for key in keys {
            memory.remember(Self.nothing, for: key, made: Self.noon, until: Self.noon.adding(seconds: seconds))
        }
        return memory
    }

    @Test func `Only the same client, context and version is answered again`() {
        let memory = remembering([key(7)])
        #expect(isKnown(key(7), memory))
        #expect(!isKnown(key(8), memory))
        #expect(!isKnown(key(7, context: 2), memory))
        #expect(!isKnown(key(7, version: 2), memory))
    }

    @Test func `A decision holds from when it was made until its end`() {
        let memory = remembering([key(7)])
        #expect(isKnown(key(7), memory, after: 59))
        #expect(!isKnown(key(7), memory, after: 60))
        #expect(!isKnown(key(7), memory, after: -1))
        #expect(!isKnown(key(7), remembering([key(7)], seconds: 0)))
    }

    @Test func `The context of a single poll is never remembered`() {
        #expect(!isKnown(key(7, context: 0), remembering([key(7, context: 0)])))
    }

    @Test func `A newer version takes the place of the older`() {
        let memory = remembering((1...10).map { key(7, version: $0) } + [key(8)])
        #expect(isKnown(key(7, version: 10), memory))
        #expect((1...9).allSatisfy { !isKnown(key(7, version: $0), memory) })
        #expect(isKnown(key(8), memory))
    }

    @Test func `It grows with its clients, and forgets the oldest of a place when it is full`() {
        let clients = 0..<4096
        let memory = remembering(clients.map { key($0) }, bound: 1024)
        let known = clients.filter { isKnown(key($0), memory) }
        #expect(known.count == 1024)
        let few = remembering((0..<500).map { key($0) }, bound: 4096)
        #expect((0..<500).allSatisfy { isKnown(key($0), few) })
    }

    @Test func `Nothing is left after everything was removed`() {
        let memory = remembering([key(7)])
        memory.removeAll()
        #expect(!isKnown(key(7), memory))
        memory.remember(Self.nothing, for: key(7), made: Self.noon, until: .distantFuture)
        #expect(isKnown(key(7), memory))
    }
}
