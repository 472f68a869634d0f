/// The polls of a population as bytes, in a scattered order of clients. No request is the same as an earlier one,
/// because each has an undeclared parameter with a new value.
final class PollSource {
    /// Clients repeat after this many numbers, except for their ids (see ``Population``).
    private static let period = 2_400
    private let size: Int
    private let name: [UInt8]
    private let before: [UInt8]
    private let after: [[UInt8]]
    private(set) var asked = 0
    /// A value above all numbers of the sources that were made before.
    private let base = Int(MonotonicClock.now)

    private static let end = Array(" HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)

    init(_ clients: Population) throws {
        size = clients.size
        name = Array(clients.id(0).utf8.dropLast())
        let parts = (0..<Self.period).map { clients.path($0, id: "CLIENT").split(separator: "CLIENT") }
        guard let first = parts.first, parts.allSatisfy({ $0.count == 2 && $0[0] == first[0] }) else {
            throw Failure("polls do not differ in their client and what follows")
        }
        before = Array("GET \(first[0])".utf8)
        after = parts.map { Array("\($0[1])&n=".utf8) }
        let repeats = [1, 7, 1_000].allSatisfy {
            clients.path($0) == clients.path($0 + Self.period, id: clients.id($0))
        }
        guard repeats else { throw Failure("clients do not repeat after \(Self.period)") }
    }

    /// Appends the next poll.
    func write(to request: inout [UInt8]) {
        // Coprime to any population of round size, so each client is visited once before any is visited again.
        let number = asked * 7_919 % size
        request += before
        request += name
        request.append(decimal: number)
        request += after[number % Self.period]
        request.append(decimal: base + asked)
        request += Self.end
        asked += 1
    }

    /// A stream of the polls of this source.
    func stream(_ name: String, _ arrivals: Stream.Arrivals, connections: Int) -> Stream {
        Stream(name, arrivals, connections: connections) { _, request in self.write(to: &request) }
    }
}

extension [UInt8] {
    mutating func append(decimal number: Int) {
        if number > 9 { append(decimal: number / 10) }
        append(48 + UInt8(number % 10))
    }
}
