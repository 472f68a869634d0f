internal import BellwetherAuthoring
internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherService
internal import PostgresWire

/// Reads the tables `revision`, `answer` and `telemetry` for results, in one read transaction.
struct ResultsReader {
    private static let seconds = 60.0

    private let query: ResultsQuery
    private let connection: PostgresConnection
    /// The number of rows that may still be read.
    private var budget: Int

    static func read(_ query: ResultsQuery, _ connection: PostgresConnection) throws -> ResultsReading {
        var reader = ResultsReader(query: query, connection: connection, budget: query.maximumRows)
        _ = try reader.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        let messages = try reader.messageKeys()?.map { try reader.reading(of: $0) }
        let enrollment = query.countsEnrollment ? try reader.enrollment() : nil
        _ = try reader.run("COMMIT")
        return ResultsReading(messages: messages, enrollment: enrollment)
    }

    private func run(_ sql: String, _ values: PostgresValue...) throws -> PostgresRows {
        try connection.run([.numbering(sql, values)], seconds: Self.seconds)[0]
    }

    /// The messages that the revisions of the recipe define, newest revision first; nil if it has no revision.
    private func messageKeys() throws -> [String]? {
        let rows = try run(
            "SELECT text FROM revision WHERE app = ? AND slug = ? ORDER BY revision DESC LIMIT ?", .text(query.app),
            .text(query.recipe), .integer(Int64(query.maximumRevisions)))
        var seen: Set<[UInt8]> = []
        var keys: [String] = []
        for index in 0..<rows.count where seen.count < query.maximumMessages {
            keys += RecipeMessages.keys(in: rows[index].bytes(0), slug: query.recipe)
                .filter { seen.insert(Array($0.utf8)).inserted }
        }
        return rows.count == 0 ? nil : Array(keys.prefix(query.maximumMessages))
    }

    private mutating func reading(of key: String) throws -> MessageReading {
        let answers = try answers(to: key)
        let limit = budget
        let branches = try funnel(of: key, byBranch: true, limit)
        // A client that was in several branches counts once.
        let isOne = branches.tallies.count <= 1 || query.branch != nil
        let whole = isOne ? branches : try funnel(of: key, byBranch: false, limit)
        let isCut = branches.rows >= budget
        budget = max(0, budget - branches.rows)
        return MessageReading(
            key: key, answers: answers, funnel: branches.tallies,
            wholeFunnel: FunnelTally(branch: nil, counts: whole.tallies.first?.counts ?? []),
            coverage: isCut ? .since(branches.oldest) : try coverage())
    }

    private mutating func answers(to key: String) throws -> (tally: AnswerTally, isWhole: Bool) {
        var tally = AnswerTally()
        var count = 0
        let rows = try run(
            """
            SELECT option_string_id, option_index, CASE WHEN experiment = ? THEN branch END, locale, submitted_at
            FROM answer WHERE app = ? AND message = ? LIMIT ?
            """, .text(query.recipe), .text(query.app), .text(key), .integer(Int64(budget) + 1))
        for index in 0..<rows.count {
            let row = rows[index]
            count += 1
            guard count <= budget else { break }
            let answer = TalliedAnswer(
                optionID: row.text(0), optionIndex: Int(row.integer(1)), branch: row.optionalText(2),
                locale: row.text(3), at: Timestamp(milliseconds: row.integer(4)))
            if query.means(answer) { tally.add(answer) }
        }
        defer { budget = max(0, budget - count) }
        return (tally, count <= budget)
    }

    /// The part of the app's log that retention has left.
    private func coverage() throws -> LogCoverage {
        let expired = try run("SELECT expired_cursor FROM app WHERE name = ?", .text(query.app))
            .first { $0.integer(0) }
        guard let expired, expired > 0 else { return .everything }
        let oldest = try run(
            "SELECT received_at FROM telemetry WHERE app = ? ORDER BY cursor LIMIT 1", .text(query.app)
        ).first { Timestamp(milliseconds: $0.integer(0)) }
        return .since(oldest)
    }
}

/// Counts the steps of clients with a message.
extension ResultsReader {
    private struct Funnel {
        var tallies: [FunnelTally] = []
        var rows = 0
        var oldest: Timestamp?
    }

    /// Counts the newest events of the message, up to a limit, by client, and then by branch or all together.
    private func funnel(of key: String, byBranch: Bool, _ limit: Int) throws -> Funnel {
        var funnel = Funnel()
        let rows = try run(
            Self.funnel, .integer(byBranch ? 1 : 0), .text(query.recipe), .text(query.app), .text(key),
            .integer(query.times.lowerBound.milliseconds), .integer(query.times.upperBound.milliseconds),
            .integer(Int64(limit)))
        for index in 0..<rows.count {
            let row = rows[index]
            let counts = (0..<FunnelStep.allCases.count).map { step in
                FunnelTally.Count(events: Int(row.integer(2 * step + 1)), clients: Int(row.integer(2 * step + 2)))
            }
            funnel.tallies.append(FunnelTally(branch: row.optionalText(0), counts: counts))
            funnel.rows += Int(row.integer(11))
            let oldest = Timestamp(milliseconds: row.integer(12))
            funnel.oldest = min(funnel.oldest ?? oldest, oldest)
        }
        funnel.tallies.removeAll { tally in
            tally.counts.allSatisfy { $0.events == 0 } || byBranch && !query.means(branch: tally.branch)
        }
        return funnel
    }

    /// Counts clients by the branch that they enrolled in, from the newest events up to a limit.
    private func enrollment() throws -> EnrollmentReading {
        var (clients, events): ([String: Int], Int) = ([:], 0)
        var oldest: Timestamp?
        let rows = try run(
            Self.enrollments, .text(query.app), .text(query.recipe),
            .integer(query.times.lowerBound.milliseconds), .integer(query.times.upperBound.milliseconds),
            .integer(Int64(query.maximumRows)))
        for index in 0..<rows.count {
            let row = rows[index]
            clients[row.text(0)] = Int(row.integer(1))
            events += Int(row.integer(2))
            let time = Timestamp(milliseconds: row.integer(3))
            oldest = min(oldest ?? time, time)
        }
        return EnrollmentReading(
            clients: clients.filter { query.means(branch: $0.key) },
            coverage: events >= query.maximumRows ? .since(oldest) : try coverage())
    }

    /// An index of table `telemetry` covers these events.
    private static let enrollments = """
        SELECT branch, count(DISTINCT client_id), count(*), min(received_at)
        FROM (
            SELECT branch, client_id, received_at FROM telemetry
            WHERE app = ? AND experiment = ? AND category = 'nimbus_events' AND name = 'enrollment'
                AND branch IS NOT NULL AND received_at >= ? AND received_at < ?
            ORDER BY cursor DESC LIMIT ?) events
        GROUP BY branch
        """

    /// No dismissal by a client that answered is a step: not the dismissal by the answer itself, not that of the prompt
    /// before it, and not that of the confirmation after it (`FunnelStep`).
    private static let funnel = """
        SELECT own_branch, sum(shown)::int8, count(*) FILTER (WHERE shown > 0), sum(started)::int8,
            count(*) FILTER (WHERE started > 0), sum(answered)::int8, count(*) FILTER (WHERE answered > 0),
            coalesce(sum(dismissed) FILTER (WHERE answered = 0), 0)::int8,
            count(*) FILTER (WHERE dismissed > 0 AND answered = 0), sum(exposed)::int8,
            count(*) FILTER (WHERE exposed > 0), sum(events)::int8, min(oldest)
        FROM (
            SELECT own_branch, client_id, count(*) AS events, min(received_at) AS oldest,
                count(*) FILTER (WHERE category = 'messaging' AND name = 'shown') AS shown,
                count(*) FILTER (WHERE category = 'messaging' AND name = 'clicked') AS started,
                count(*) FILTER (WHERE category = 'microsurvey' AND name = 'submit_button_tapped') AS answered,
                count(*) FILTER (WHERE category = 'messaging' AND name = 'dismissed') AS dismissed,
                count(*) FILTER (WHERE category = 'nimbus_events' AND name = 'exposure') AS exposed
            FROM (
                SELECT CASE WHEN ?::int8 = 1 AND experiment = ? THEN branch END AS own_branch, client_id, received_at,
                    category, name
                FROM telemetry WHERE app = ? AND message = ? AND received_at >= ? AND received_at < ?
                ORDER BY cursor DESC LIMIT ?) events
            GROUP BY own_branch, client_id) clients
        GROUP BY own_branch ORDER BY own_branch NULLS FIRST
        """
}
