import BellwetherCore
import BellwetherJSON
import TestSupport
import Testing

/// The library decides from a bundle as the daemon does (docs/reference/http-api.md#the-bundle). The test has a
/// thousand random clients of four random apps, each through three compiled apps.
@Suite struct EquivalenceTests {
    private static let clients = 250

    @Test(arguments: [(1, "ios"), (2, "android"), (3, "ios"), (4, "android")] as [(UInt64, String)])
    func `Random clients get the same over the API and from the library`(_ seed: UInt64, _ dialect: String) throws {
        var app = try RandomApp(seed: seed, dialect: dialect, on: Servers.shared())
        let api = try TwinAPI(app.app)
        var clients: [TwinClient] = []
        for number in 0..<Self.clients { clients.append(TwinClient(id: "c\(number)", random: &app.random)) }
        for compiledApp in 0..<3 {
            if compiledApp > 0 { try app.change() }
            for index in clients.indices { try clients[index].live(app.bundle, api, &app.random) }
        }
        let recorded = try api.telemetry()
        var coverage = TwinClient.Coverage()
        for client in clients {
            try #require(recorded[client.device.id] ?? [] == client.device.records.map(\.comparable))
            coverage.add(client.coverage)
        }
        // The test has covered what it needs, including revisions that differ from those of the documents.
        #expect(coverage.offers > Self.clients && coverage.branches.count >= 3, "\(coverage)")
        #expect(coverage.answers > 0 && coverage.renumbered > 0, "\(coverage)")
    }
}

extension TelemetryRecord {
    /// The record in the form of `TwinAPI.telemetry`.
    fileprivate var comparable: JSONValue {
        [.string(category), .string(name), .object(extra), JSONValue(experiment?.text), JSONValue(branch?.text)]
    }
}
