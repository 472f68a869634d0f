import BellwetherJSON

/// The displays, answers and expirations of a round, by client.
struct CrashTally: Equatable {
    var shown: [String: Int] = [:]
    var answered: Set<String> = []
    var expired: Set<String> = []

    mutating func add(_ record: JSONValue, _ round: Int) throws {
        guard let record = record.object, let client = record["client_id"]?.string else {
            throw Failure("no record: \(record.text)")
        }
        let isNew: Bool
        switch (record["category"]?.string, record["name"]?.string) {
        case ("messaging", "shown"):
            shown[client, default: 0] += 1
            isNew = true
        case ("messaging", "expired"): isNew = expired.insert(client).inserted
        case ("microsurvey", "submit_button_tapped"): isNew = answered.insert(client).inserted
        default: return
        }
        guard isNew else { throw Failure("a record is there twice: \(record)") }
    }

    /// The clients whose counts differ from the recorded ones, with both counts, as text.
    func difference(from recorded: CrashTally, of clients: [String]) -> String {
        clients.compactMap { client in
            let (found, wanted) = (description(of: client), recorded.description(of: client))
            return found == wanted ? nil : "\(client) has \(found), recorded were \(wanted)"
        }.joined(separator: "; ")
    }

    private func description(of client: String) -> String {
        "\(shown[client, default: 0]) displays"
            + (answered.contains(client) ? " and an answer" : "") + (expired.contains(client) ? " and its end" : "")
    }
}
