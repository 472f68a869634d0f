/// A change of the tables, from the version before it (docs/reference/http-api.md#the-schema).
struct SchemaStep: Sendable {
    let version: Int64
    /// The purpose of the step, as `bellwether migrate` prints it.
    let title: String
    /// Adds what programs of this version use. Programs of the version before go on beside it.
    let expansion: [String]
    /// Takes away what only earlier programs use.
    var contraction: [String] = []
    /// Whether programs of this version cannot do without the expansion.
    var isNeeded = true
}

/// All steps, oldest first. One that was released is never changed: what comes later is a new step.
struct SchemaHistory: Sendable {
    let steps: [SchemaStep]

    static let current = SchemaHistory(steps: [
        SchemaStep(version: 1, title: "the tables", expansion: Schema.statements)
    ])

    /// The version of this program.
    var version: Int64 { steps.last?.version ?? 0 }

    /// The oldest program that may use tables to which all steps were done.
    var minimum: Int64 { steps.last { !$0.contraction.isEmpty }?.version ?? steps.first?.version ?? 0 }

    /// The oldest tables that this program can use.
    var oldest: Int64 { steps.last(where: \.isNeeded)?.version ?? 0 }

    /// The statements for an empty database, in one transaction.
    var statements: [String] { steps.flatMap { $0.expansion + $0.contraction } }
}

/// Which tables a database has.
struct SchemaState: Equatable {
    let version: Int64
    /// The oldest program that may use them.
    let minimum: Int64
}

extension SchemaHistory {
    /// Whether this program may use tables: nil, or a warning. Throws why it may not.
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
