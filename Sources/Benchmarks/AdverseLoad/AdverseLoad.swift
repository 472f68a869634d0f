/// Connections and requests of adverse clients while a server is measured. Each step is short and never waits, because
/// it runs on the generator's thread, between two of the generator's requests.
protocol AdverseLoad: AnyObject {
    func step(now: Int64)
}

/// The kinds of adverse load that are measured.
enum AdverseLoadKind: CaseIterable {
    case idle, slowHeads, slowBodies, slowReaders, flood, halfOpen

    var name: String {
        switch self {
        case .idle: "10,000 idle connections"
        case .slowHeads: "1,000 slow heads"
        case .slowBodies: "1,000 slow bodies"
        case .slowReaders: "200 readers that do not read"
        case .flood: "2,000 new connections a second"
        case .halfOpen: "2,000 half-open connections"
        }
    }

    func make(port: Int) throws -> any AdverseLoad {
        switch self {
        case .idle: try IdleLoad(10_000, port: port)
        case .slowHeads: try Drip(1_000, port: port, opening: Drip.head)
        case .slowBodies: try Drip(1_000, port: port, opening: Drip.body)
        case .slowReaders: try NonReaders(200, port: port)
        case .flood: Flood(perSecond: 2_000, port: port)
        case .halfOpen: try HalfOpen(2_000, port: port)
        }
    }
}
