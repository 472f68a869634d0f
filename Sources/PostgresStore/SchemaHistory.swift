/// A change of the tables from the previous version (docs/reference/http-api.md#the-schema).
struct SchemaStep: Sendable {
    let version: Int64
    /// The purpose of the step, as `bellwether migrate` prints it.
    let title: String
    /// The statements that add what programs of this version use. Programs of the previous version can still run.
    let expansion: [String]
    /// The statements that remove what only earlier programs use.
    var contraction: [String] = []
    /// Whether programs of this version need the expansion.
    var isNeeded = true
}

/// All steps, oldest first. A released step never changes; a later change is a new step.
struct SchemaHistory: Sendable {
    let steps: [SchemaStep]

    static let current = SchemaHistory(steps: [
        SchemaStep(version: 1, title: "the tables", expansion: Schema.statements),
        // Programs of the previous version go on writing such counts until the contraction.
        SchemaStep(
            version: 2, title: "counts of answers by type and scale", expansion: [countRunsAgain],
            contraction: [countRunsAgain]),
        // Programs of the previous version write no trace.
        SchemaStep(
            version: 3, title: "traces of webhooks", expansion: ["ALTER TABLE outbox ADD COLUMN trace \(Schema.text)"]),
    ])

    /// Marks all recipes with runs for `EarlierRuns`: their counts do not name the types and scales of questions.
    private static let countRunsAgain = """
        INSERT INTO small (kind, app, name, version, body)
        SELECT DISTINCT 'counts', app, chr(31) || slug, 1, convert_to('{"":{"runs":1}}', 'UTF8') FROM run
        ON CONFLICT DO NOTHING
        """

    /// The schema version of this program.
    var version: Int64 { steps.last?.version ?? 0 }

    /// The schema version of the oldest program that may use the tables after all steps.
    var minimum: Int64 { steps.last { !$0.contraction.isEmpty }?.version ?? steps.first?.version ?? 0 }

    /// The oldest schema version that this program can use.
    var oldest: Int64 { steps.last(where: \.isNeeded)?.version ?? 0 }

    /// The statements for an empty database, in one transaction.
    var statements: [String] { steps.flatMap { $0.expansion + $0.contraction } }
}

/// The schema version of a database.
struct SchemaState: Equatable {
    let version: Int64
    /// The schema version of the oldest program that may use the tables.
    let minimum: Int64
}

extension SchemaHistory {
    /// Checks that this program may use the tables. Returns a warning or nil; throws the reason if it may not use them.
    func check(_ state: SchemaState) throws(SchemaRefusal) -> String? {
        let (found, known) = (state.version, version)
        if found < oldest {
            throw SchemaRefusal("the database has schema \(found); bellwether migrate makes it \(known)")
        }
        if state.minimum > known {
            throw SchemaRefusal(
                "the database has schema \(found), which this program is too old for; it knows \(known)")
        }
        if found < known { return "the database has schema \(found); bellwether migrate makes it \(known)" }
        guard found > known else { return nil }
        return "the database has schema \(found), and this program knows \(known): it should be replaced soon"
    }
}

struct SchemaRefusal: Error {
    let sentence: String

    init(_ sentence: String) { self.sentence = sentence }
}
