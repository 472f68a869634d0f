import BellwetherJSON
import TestSupport
import Testing

/// The response to a publish is sent after every worker serves it
/// (docs/reference/http-api.md#durability-and-visibility).
@Suite struct PublishVisibilityTests {
    @Test func `The next poll on every worker sees what was published`() throws {
        let app = try TestApp()
        // The kernel spreads connections over the four workers by their ports: with 40 connections, each worker gets
        // some.
        let connections = try (0..<40).map { _ in try app.server.connect() }
        for round in 1...5 {
            try app.publish("r", Sample.message("m", ["text": .string("round \(round)")]))
            for connection in connections { try connection.send("GET", "\(app.path)/messages?client_id=c") }
            for connection in connections {
                #expect(try connection.receive().json["messages"][0]["text"].string == "round \(round)")
            }
        }
        #expect(try app.server.send("DELETE", "\(app.path)/recipes/r").status == 204)
        for connection in connections {
            try connection.send("GET", "\(app.path)/messages?client_id=c")
            #expect(try connection.receive().json["messages"] == [])
        }
    }

    @Test func `Many publishes at once are all done, each revision once`() throws {
        let app = try TestApp()
        let connections = try (0..<16).map { _ in try app.server.connect() }
        for (index, connection) in connections.enumerated() {
            let recipe = Sample.message("m", ["text": .string("\(index)")])
            try connection.send("PUT", "\(app.path)/recipes/r", body: recipe.encoded)
        }
        let answers = try connections.map { try $0.receive() }
        #expect(answers.filter { $0.status == 201 }.count == 1)
        #expect(Set(answers.map { $0.json["revision"].integer ?? 0 }) == Set(1...16))
    }
}
