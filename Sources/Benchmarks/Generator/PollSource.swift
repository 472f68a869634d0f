/// The polls of a population as bytes, client after client in a scattered order; each is a request that was not sent
/// before, for it has an undeclared parameter with another value each time.
final class PollSource {
    /// Clients repeat in everything but their ids after so many numbers (see ``Population``).
    private static let period = 2_400
    private let size: Int
    private let name: [UInt8]
    private let before: [UInt8]
    private let after: [[UInt8]]
    private(set) var asked = 0
    /// Later than any number of a source that was made before.
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
        // Coprime to any population of round size: all are visited before one comes again.
        let number = asked * 7_919 % size
        request += before
        request += name
        request.append(decimal: number)
        request += after[number % Self.period]
        request.append(decimal: base + asked)
        request += Self.end
        asked += 1
    }

    /// A stream of these polls.
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
