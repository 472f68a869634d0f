import BellwetherJSON
import TestSupport
import Testing

/// A worker's cached responses are never stale: they always equal a response that is computed again.
@Suite struct CachedResponseTests {
    private static let clients = ["a", "b", "c"]

    @Test(arguments: [1, 2, 3, 4])
    func `A poll answers as one that nobody remembers`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let app = try TestApp()
        let connections = try (0..<6).map { _ in try app.server.connect() }
        try publish(app, &generator)
        for step in 0..<150 {
            try act(app, &generator)
            for client in Self.clients {
                let query = "&surface=card&surface=microsurvey&beta=\(step.isMultiple(of: 3))"
                let connection = connections[Int.random(in: 0..<connections.count, using: &generator)]
                try connection.send("GET", "\(app.path)/messages?client_id=\(client)\(query)")
                let usual = try connection.receive()
                // An undeclared attribute changes only the cache key.
                let anew = try app.poll(client, query + "&nonce=\(seed)-\(step)")
                #expect(usual.text == anew.text)
                #expect(usual.header("ETag") == anew.header("ETag"))
            }
        }
    }

    /// Performs an action that may change a response.
    private func act(_ app: TestApp, _ generator: inout SeededGenerator) throws {
        let client = Self.clients.randomElement(using: &generator) ?? ""
        let message = ["m", "n", "survey"].randomElement(using: &generator) ?? ""
        switch Int.random(in: 0..<12, using: &generator) {
        case 0...3: try app.record(client, Event.behavior("visit"))
        case 4...6: try app.record(client, Event.message("displayed", message))
        case 7: try app.record(client, Event.message("dismissed", message))
        case 8: _ = try app.respond(client, "survey", "0")
        case 9: try publish(app, &generator)
        default: break
        }
    }

    private func publish(_ app: TestApp, _ generator: inout SeededGenerator) throws {
        let style = ["TWICE", "MANY", "ONCE"].randomElement(using: &generator) ?? ""
        let text = "text \(Int.random(in: 0..<5, using: &generator))"
        try app.publish(
            "r",
            Sample.message("m", ["style": .string(style), "text": .string(text), "trigger-if-all": ["TWO_VISITS"]]))
        try app.publish("s", Sample.message("n", ["trigger-if-all": ["IS_BETA"]]))
        try app.publish("t", Sample.survey(style: style))
    }
}
