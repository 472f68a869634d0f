import Foundation

/// Clients with five events and five enrollments each.
struct ExperiencedClients {
    private static let events = ["homepage_viewed", "app_cycle.foreground", "sync.login", "tab.opened", "search.done"]
    private static let connections = 100
    let size: Int

    /// Writes an app folder with five experiments that every client is in.
    static func write(to folder: String, from app: String) throws {
        try SampleApp(recipes: 0).write(to: folder, from: app)
        for index in 1...5 {
            let recipe = SampleRecipe(index: index * 4, kind: .experiments)
            let text = recipe.text.replacingOccurrences(of: "\"count\": 5000", with: "\"count\": 10000")
            guard text != recipe.text else { throw Failure("\(recipe.slug) has no buckets to widen") }
            try text.write(
                toFile: "\(folder)/recipes/\(SampleApp.name)/\(recipe.slug).json", atomically: false, encoding: .utf8)
        }
    }

    /// Each client polls once, by POST, so that only the client's own state is stored; with its events, if it reports
    /// them. The polls use many connections at once, so that writes are committed in groups.
    func poll(_ port: Int, _ numbers: Range<Int>, reporting: Bool) throws {
        let connections = try (0..<Self.connections).map { _ in try LoopbackClient(port: port) }
        for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: Self.connections) {
            try Interruption.check()
            let polling = zip(connections, start..<min(start + Self.connections, numbers.upperBound))
            for (connection, number) in polling {
                try connection.send(
                    HTTPText.request(
                        "POST", "/v1/apps/\(SampleApp.name)/messages", body: Array(body(number, reporting).utf8)))
            }
            for (connection, _) in polling {
                let answer = try connection.answer()
                guard answer.status == 200, !reporting || answer.text.contains(#""accepted":5"#) else {
                    throw Failure("poll: \(answer.status) \(answer.text.prefix(500))")
                }
            }
        }
    }

    private func body(_ number: Int, _ reporting: Bool) -> String {
        let events = Self.events.map { #"{"type":"behavior","name":"\#($0)","id":"\#($0)"}"# }
        let reported = reporting ? #","events":[\#(events.joined(separator: ","))]"# : ""
        return """
            {"client_id":"client-\(number)","surfaces":["\(SampleApp.surface)"],"context":{"locale":"de","os":"iOS",\
            "os_version":"17.4","app_version":"125.1","days_since_install":120,"days_since_update":3}\(reported)}
            """
    }
}
