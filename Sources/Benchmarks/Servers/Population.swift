/// The clients that poll. Each has an id, a fixed locale, version and age, and is known to the server by its events.
struct Population {
    static let locales = ["en-US", "en-GB", "de", "de-AT", "fr", "es-ES", "ja", "ar"]
    let size: Int

    func id(_ number: Int) -> String { "client-\(number)" }

    /// The path of one client's poll. `id` replaces the client's id; `day` changes the days since its update.
    func path(_ number: Int, id: String? = nil, day: Int = 0) -> String { path(items(number, id: id, day: day)) }

    /// The path of one client's stream.
    static func streamPath(_ number: Int) -> String { "/v1/apps/\(SampleApp.name)/stream?client_id=client-\(number)" }

    /// The polls of all clients, each in several spellings. The spellings are equal for every rule, but they give so
    /// many different requests that none repeats soon.
    var respelledPaths: [String] {
        (1...6).flatMap { turn in
            (0..<size).map { number in
                let items = items(number)
                return path(Array(items[turn...] + items[..<turn]))
            }
        }
    }

    /// The polls of all clients on several days each, so that each context is new.
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

    /// Makes the clients known, beginning with `first`: each sends one `homepage_viewed` and one display of a message,
    /// in NDJSON bodies of 5,000 lines.
    func introduce(to port: Int, from first: Int = 0, displaying message: String? = nil) throws {
        try report(to: port, from: first) { id, _ in
            #"{"client_id":"\#(id)","type":"behavior","name":"homepage_viewed","id":"seen"}"#
        }
        if let message { try display(message, to: port, from: first) }
    }

    /// Reports one display of a message by each client.
    func display(_ message: String, to port: Int, from first: Int = 0) throws {
        try report(to: port, from: first) { id, _ in
            #"{"client_id":"\#(id)","type":"message","action":"displayed","message":"\#(message)","id":"shown"}"#
        }
    }

    /// Reports one event of each client, as a line of JSON.
    func report(to port: Int, from first: Int = 0, event: (_ id: String, _ number: Int) -> String) throws {
        let client = try LoopbackClient(port: port)
        for start in stride(from: first, to: size, by: 5_000) {
            try Interruption.check()
            let numbers = start..<min(start + 5_000, size)
            let lines = numbers.map { event(id($0), $0) }
            let answer = try client.post(
                "/v1/apps/\(SampleApp.name)/events", type: "application/x-ndjson",
                body: Array((lines.joined(separator: "\n") + "\n").utf8))
            guard answer.status == 200, answer.text.contains(#""accepted":\#(numbers.count)"#) else {
                throw Failure("introducing clients: \(answer.status) \(answer.text.prefix(500))")
            }
        }
    }

    /// Lets each client poll once, on many connections at once, so that writes are committed in groups.
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
