public import BellwetherAuthoring
internal import BellwetherBase
public import BellwetherJSON
public import BellwetherService

/// Reads the rows of a recipe's results.
public struct SQLResultRows<Session: SQLSession>: ResultRows {
    private let query: ResultsQuery
    private let session: Session

    public init(_ query: ResultsQuery, _ session: Session) { (self.query, self.session) = (query, session) }

    private var app: String { session.dialect.app }

    public func readDocuments(limit: Int, until isEnough: ([UInt8]) -> Bool) throws {
        let table = session.dialect.name(.revision)
        let isLast = { (isLast: Bool) in isLast }
        _ = try session.all(
            "SELECT text FROM \(table) WHERE app = \(app) AND slug = ? ORDER BY revision DESC LIMIT ?",
            [.text(query.app), .text(query.recipe), .integer(Int64(limit))], isEnough: isLast
        ) { isEnough($0.bytes(0)) }
    }

    public func readAnswers(to message: Identifier, limit: Int, _ body: (TalliedAnswer) -> Void) throws {
        _ = try session.all(
            """
            SELECT option_string_id, option_index, CASE WHEN experiment = ? THEN branch END, locale, submitted_at
            FROM \(session.dialect.name(.answer)) WHERE app = \(app) AND message = ? LIMIT ?
            """, .text(query.recipe), .text(query.app), .text(message), .integer(Int64(limit))
        ) { row in
            body(
                TalliedAnswer(
                    optionID: row.identifier(0), optionIndex: Int(row.integer(1)), branch: row.optionalIdentifier(2),
                    locale: row.text(3), at: row.time(4)))
        }
    }

    public func readCoverage() throws -> LogCoverage {
        let expired = try session.all("SELECT expired_cursor FROM app WHERE name = ?", .text(query.app)) {
            $0.integer(0)
        }
        guard let expired = expired.first, expired > 0 else { return .everything }
        let oldest = try session.all(
            "SELECT received_at FROM telemetry WHERE app = \(app) ORDER BY cursor LIMIT 1", .text(query.app)
        ) { $0.time(0) }
        return .since(oldest.first)
    }

    public func readFunnel(of message: Identifier, byBranch: Bool, limit: Int) throws -> [FunnelRow] {
        try session.all(
            funnel, .integer(byBranch ? 1 : 0), .text(query.recipe), .text(query.app), .text(message),
            .integer(query.times.lowerBound.milliseconds), .integer(query.times.upperBound.milliseconds),
            .integer(Int64(limit))
        ) { row in
            let counts = FunnelStep.allCases.indices.map { step in
                FunnelTally.Count(events: Int(row.integer(2 * step + 1)), clients: Int(row.integer(2 * step + 2)))
            }
            return FunnelRow(
                tally: FunnelTally(branch: row.optionalIdentifier(0), counts: counts), events: Int(row.integer(11)),
                oldest: row.time(12))
        }
    }

    public func readEnrollments(limit: Int) throws -> [EnrollmentRow] {
        try session.all(
            enrollments, .text(query.app), .text(query.recipe), .integer(query.times.lowerBound.milliseconds),
            .integer(query.times.upperBound.milliseconds), .integer(Int64(limit))
        ) { row in
            EnrollmentRow(
                branch: row.identifier(0), clients: Int(row.integer(1)), events: Int(row.integer(2)),
                oldest: row.time(3))
        }
    }

    /// An index of table `telemetry` has these events.
    private var enrollments: String {
        """
        SELECT branch, count(DISTINCT client_id), count(*), min(received_at)
        FROM (
            SELECT branch, client_id, received_at FROM telemetry
            WHERE app = \(app) AND experiment = ? AND category = 'nimbus_events' AND name = 'enrollment'
                AND branch IS NOT NULL AND received_at >= ? AND received_at < ?
            ORDER BY cursor DESC LIMIT ?) events
        GROUP BY branch
        """
    }

    /// For a client that answered, no dismissal is a step: not the answer's own, not the dismissal of the prompt before
    /// it, and not the dismissal of the confirmation after it (`FunnelStep`).
    private var funnel: String {
        """
        SELECT own_branch, CAST(sum(shown) AS bigint), count(*) FILTER (WHERE shown > 0),
            CAST(sum(started) AS bigint), count(*) FILTER (WHERE started > 0),
            CAST(sum(answered) AS bigint), count(*) FILTER (WHERE answered > 0),
            CAST(coalesce(sum(dismissed) FILTER (WHERE answered = 0), 0) AS bigint),
            count(*) FILTER (WHERE dismissed > 0 AND answered = 0),
            CAST(sum(exposed) AS bigint), count(*) FILTER (WHERE exposed > 0), CAST(sum(events) AS bigint), min(oldest)
        FROM (
            SELECT own_branch, client_id, count(*) AS events, min(received_at) AS oldest,
                count(*) FILTER (WHERE category = 'messaging' AND name = 'shown') AS shown,
                count(*) FILTER (WHERE category = 'messaging' AND name = 'clicked') AS started,
                count(*) FILTER (WHERE category = 'microsurvey' AND name = 'submit_button_tapped') AS answered,
                count(*) FILTER (WHERE category = 'messaging' AND name = 'dismissed') AS dismissed,
                count(*) FILTER (WHERE category = 'nimbus_events' AND name = 'exposure') AS exposed
            FROM (
                SELECT CASE WHEN ? = 1 AND experiment = ? THEN branch END AS own_branch, client_id, received_at,
                    category, name
                FROM telemetry \(session.dialect == .sqlite ? "INDEXED BY telemetry_message" : "")
                WHERE app = \(app) AND message = ? AND received_at >= ? AND received_at < ?
                ORDER BY cursor DESC LIMIT ?) events
            GROUP BY own_branch, client_id) clients
        GROUP BY own_branch ORDER BY own_branch NULLS FIRST
        """
    }
}
