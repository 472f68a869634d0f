import Testing

@testable import Kafka

struct DeliveryWindowTests {
    @Test func theWindowStopsBelowTheLowestOutstandingRecord() {
        var window = DeliveryWindow(capacity: 4)
        for position in [10, 20, 35] as [Int64] { window.append(position) }
        window.deliver(1)
        #expect(window.deliveredThrough == nil)
        #expect(window.outstanding == 2)
        window.deliver(0)
        #expect(window.deliveredThrough == 20)
        window.deliver(2)
        #expect(window.deliveredThrough == 35)
        #expect(window.outstanding == 0)
    }

    @Test func aDeliveredRecordKeepsItsPlaceBehindAnOutstandingOne() {
        var window = DeliveryWindow(capacity: 2)
        window.append(1)
        window.append(2)
        window.deliver(1)
        #expect(window.isFull)
        window.deliver(0)
        #expect(!window.isFull)
    }

    @Test func aSecondReportOfARecordChangesNothing() {
        var window = DeliveryWindow(capacity: 2)
        window.append(1)
        window.append(2)
        window.deliver(0)
        window.deliver(0)
        #expect(window.outstanding == 1)
        #expect(window.deliveredThrough == 1)
    }

    @Test(arguments: 1...20) func reportsInAnyOrderGiveTheSameAsAModel(capacity: Int) {
        var generator = SystemRandomNumberGenerator()
        var window = DeliveryWindow(capacity: capacity)
        var outstanding: Set<Int> = []
        var positions: [Int64] = []
        for _ in 0..<2000 {
            if !window.isFull, Bool.random(using: &generator) {
                outstanding.insert(window.next)
                positions.append((positions.last ?? 0) + Int64.random(in: 1...9, using: &generator))
                window.append(positions[positions.count - 1])
            } else if let number = outstanding.randomElement(using: &generator) {
                outstanding.remove(number)
                window.deliver(number)
            }
            let lowest = outstanding.min() ?? positions.count
            #expect(window.deliveredThrough == (lowest == 0 ? nil : positions[lowest - 1]))
            #expect(window.outstanding == outstanding.count)
            #expect(window.isFull == (positions.count - lowest == capacity))
        }
    }
}
