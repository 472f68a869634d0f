internal import BellwetherAuthoring
internal import BellwetherBase
import BellwetherCore
import BellwetherService
import SQLiteWire

/// Reads tables `recipe_revision`, `response` and `telemetry` for results, inside one read transaction.
struct ResultRows {
    private let query: ResultsQuery
    private let database: SQLiteConnection
    private let app: Int64
    /// How many rows may still be read.
    private var budget: Int

    static func read(_ query: ResultsQuery, _ database: SQLiteConnection) throws -> ResultsReading {
        guard let app = try AppRows(database).find(query.app) else { return ResultsReading(messages: nil) }
        var rows = ResultRows(query: query, database: database, app: app, budget: query.maximumRows)
        let messages = try rows.messageKeys()?.map { try rows.reading(of: $0) }
        return ResultsReading(messages: messages, enrollment: query.countsEnrollment ? try rows.enrollment() : nil)
    }

    /// The messages that any revision of the recipe defines, the newest first. Documents are read one after another,
    /// because together they may be large.
    private func messageKeys() throws -> [String]? {
        let select = try Prepared(
            database,
            "SELECT text FROM recipe_revision WHERE app = ? AND slug = ? ORDER BY revision DESC LIMIT ?")
        var seen: Set<[UInt8]> = []
        let keys = try select.all(
            .integer(app), .text(query.recipe), .integer(Int64(query.maximumRevisions))
        ) { row in
            RecipeMessages.keys(in: row.bytes(0), slug: query.recipe).filter { seen.insert(Array($0.utf8)).inserted }
        } isEnough: { _ in
            seen.count >= query.maximumMessages
        }
        return keys.isEmpty ? nil : Array(keys.joined().prefix(query.maximumMessages))
    }

    private mutating func reading(of key: String) throws -> MessageReading {
        let answers = try answers(to: key)
        let limit = SQLValue.integer(Int64(budget))
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
        _ = try Prepared(
            database,
            """
            SELECT option_string_id, option_index, CASE WHEN experiment = ? THEN branch END, locale, submitted_at
            FROM response WHERE app = ? AND message = ? LIMIT ?
            """
        ).all(.text(query.recipe), .integer(app), .text(key), .integer(Int64(budget) + 1)) { row in
            count += 1
            guard count <= budget else { return }
            let answer = TalliedAnswer(
                optionID: row.text(0), optionIndex: Int(row.integer(1)), branch: row.optionalText(2),
                locale: row.text(3), at: Timestamp(milliseconds: row.integer(4)))
            if query.means(answer) { tally.add(answer) }
        }
        defer { budget = max(0, budget - count) }
        return (tally, count <= budget)
    }

    /// The part of the app's log that retention has not deleted.
    private func coverage() throws -> LogCoverage {
        let expired = try Prepared(database, "SELECT expired_cursor FROM app WHERE key = ?")
            .first(.integer(app)) { $0.integer(0) }
        guard let expired, expired > 0 else { return .everything }
        let oldest = try Prepared(database, "SELECT received_at FROM telemetry WHERE app = ? ORDER BY cursor LIMIT 1")
            .first(.integer(app)) { Timestamp(milliseconds: $0.integer(0)) }
        return .since(oldest)
    }
}

/// The steps of clients with a message.
extension ResultRows {
    private struct Funnel {
        var tallies: [FunnelTally] = []
        var rows = 0
        var oldest: Timestamp?
    }

    /// The newest events of the message, up to a limit, grouped by client, and then by branch or all together.
    private func funnel(of key: String, byBranch: Bool, _ limit: SQLValue) throws -> Funnel {
        var funnel = Funnel()
        _ = try Prepared(database, Self.funnel).all(
            .integer(byBranch ? 1 : 0), .text(query.recipe), .integer(app), .text(key),
            .integer(query.times.lowerBound.milliseconds), .integer(query.times.upperBound.milliseconds), limit
        ) { row in
            let counts = (0..<Int32(FunnelStep.allCases.count)).map { step in
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

    /// The number of clients in each branch. It counts only the newest enrollment events, up to a limit.
    private func enrollment() throws -> EnrollmentReading {
        var (clients, events): ([String: Int], Int) = ([:], 0)
        var oldest: Timestamp?
        _ = try Prepared(database, Self.enrollments).all(
            .integer(app), .text(query.recipe), .integer(query.times.lowerBound.milliseconds),
            .integer(query.times.upperBound.milliseconds), .integer(Int64(query.maximumRows))
        ) { row in
            clients[row.text(0)] = Int(row.integer(1))
            events += Int(row.integer(2))
            let time = Timestamp(milliseconds: row.integer(3))
            oldest = min(oldest ?? time, time)
        }
        return EnrollmentReading(
            clients: clients.filter { query.means(branch: $0.key) },
            coverage: events >= query.maximumRows ? .since(oldest) : try coverage())
    }

    /// Table `telemetry` has an index of these events.
    private static let enrollments = """
        SELECT branch, count(DISTINCT client_id), count(*), min(received_at)
        FROM (
            SELECT branch, client_id, received_at FROM telemetry
            WHERE app = ? AND experiment = ? AND category = 'nimbus_events' AND name = 'enrollment'
                AND branch IS NOT NULL AND received_at >= ? AND received_at < ?
            ORDER BY cursor DESC LIMIT ?)
        GROUP BY branch
        """

    /// For a client that answered, no dismissal is a step: not the answer's own, not the dismissal of the prompt before
    /// it, and not the dismissal of the confirmation after it (`FunnelStep`).
    private static let funnel = """
        SELECT own_branch, sum(shown), sum(shown > 0), sum(started), sum(started > 0), sum(answered),
            sum(answered > 0), sum(dismissed * (answered = 0)), sum(dismissed > 0 AND answered = 0), sum(exposed),
            sum(exposed > 0), sum(events), min(oldest)
        FROM (
            SELECT own_branch, client_id, count(*) AS events, min(received_at) AS oldest,
                sum(category = 'messaging' AND name = 'shown') AS shown,
                sum(category = 'messaging' AND name = 'clicked') AS started,
                sum(category = 'microsurvey' AND name = 'submit_button_tapped') AS answered,
                sum(category = 'messaging' AND name = 'dismissed') AS dismissed,
                sum(category = 'nimbus_events' AND name = 'exposure') AS exposed
            FROM (
                SELECT CASE WHEN ? AND experiment = ? THEN branch END AS own_branch, client_id, received_at, category,
                    name
                FROM telemetry INDEXED BY telemetry_message
                WHERE app = ? AND message = ? AND received_at >= ? AND received_at < ?
                ORDER BY cursor DESC LIMIT ?)
            GROUP BY own_branch, client_id)
        GROUP BY own_branch
        """
}
