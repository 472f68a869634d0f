/// The clients that poll: ids with a fixed locale, version and age each, known to the server by what they sent.
struct Population {
    static let locales = ["en-US", "en-GB", "de", "de-AT", "fr", "es-ES", "ja", "ar"]
    let size: Int

    func id(_ number: Int) -> String { "client-\(number)" }

    /// The poll of one client, or of the id that is put for `CLIENT`; on another day since its update, if one is given.
    func path(_ number: Int, id: String? = nil, day: Int = 0) -> String { path(items(number, id: id, day: day)) }

    /// The polls of all of them, in several spellings each: the same to every rule, but so many different requests that
    /// none comes twice in a while.
    var respelledPaths: [String] {
        (1...6).flatMap { turn in
            (0..<size).map { number in
                let items = items(number)
                return path(Array(items[turn...] + items[..<turn]))
            }
        }
    }

    /// The polls of all of them on several days each: other contexts than they had.
    var pathsOnOtherDays: [String] { (1...6).flatMap { day in (0..<size).map { path($0, day: day) } } }

    private func path(_ items: [String]) -> String {
        "/v1/apps/\(SampleApp.name)/messages?" + items.joined(separator: "&")
    }

    private func items(_ number: Int, id: String? = nil, day: Int = 0) -> [String] {
        let locale = Self.locales[number % Self.locales.count]
        let version = "\(120 + number / 8 % 20).\(number % 3)"
        let age = 30 + number % 300
        return [
            "client_id=\(id ?? self.id(number))", "surface=\(SampleApp.surface)", "locale=\(locale)", "os=iOS",
            "os_version=17.4", "app_version=\(version)", "days_since_install=\(age)",
            "days_since_update=\((age + day) % 20)",
        ]
    }

    /// Makes them known, or those from a number on: one `homepage_viewed` each, and one display of a message, in NDJSON
    /// bodies of 5,000 lines.
    func introduce(to port: Int, from first: Int = 0, displaying message: String? = nil) throws {
        try send(to: port, from: first) {
            #"{"client_id":"\#($0)","type":"behavior","name":"homepage_viewed","id":"seen"}"#
        }
        guard let message else { return }
        try send(to: port, from: first) {
            #"{"client_id":"\#($0)","type":"message","action":"displayed","message":"\#(message)","id":"shown"}"#
        }
    }

    private func send(to port: Int, from first: Int, event: (String) -> String) throws {
        let client = try LoopbackClient(port: port)
        for start in stride(from: first, to: size, by: 5_000) {
            try Interruption.check()
            let numbers = start..<min(start + 5_000, size)
            let lines = numbers.map { event(id($0)) }
            let answer = try client.post(
                "/v1/apps/\(SampleApp.name)/events", type: "application/x-ndjson",
                body: Array((lines.joined(separator: "\n") + "\n").utf8))
            guard answer.status == 200, answer.text.contains(#""accepted":\#(numbers.count)"#) else {
                throw Failure("introducing clients: \(answer.status) \(answer.text.prefix(500))")
            }
        }
    }

    /// Lets each poll once, on many connections at once, so that what they all change is committed in groups.
    func poll(_ port: Int) throws {
        let connections = try (0..<100).map { _ in try LoopbackClient(port: port) }
        for start in stride(from: 0, to: size, by: connections.count) {
            try Interruption.check()
            let polling = zip(connections, start..<min(start + connections.count, size))
            for (connection, number) in polling { try connection.ask(path(number)) }
            for (connection, _) in polling {
                let answer = try connection.answer()
                guard answer.status == 200 else {
                    throw Failure("poll: \(answer.status) \(answer.text.prefix(500))")
                }
            }
        }
    }
}
