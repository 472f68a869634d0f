internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import PostgresWire
internal import Surveys

// Initialisers that read values of rows from the columns of `RowTable.columns`.

extension SurveyResponse {
    init(_ row: PostgresRow, at place: Int, client: String, message: String) {
        self.init(
            id: row.text(place), clientID: client, message: message, requestID: row.optionalText(place + 1),
            optionIndex: Int(row.integer(place + 2)), optionStringID: row.text(place + 3), text: row.text(place + 4),
            locale: row.text(place + 5), revision: Int(row.integer(place + 6)),
            submittedAt: Timestamp(milliseconds: row.integer(place + 7)))
        if let slug = row.optionalText(place + 8), let branch = row.optionalText(place + 9) {
            enrollment = EnrolledBranch(slug: slug, branch: branch)
        }
    }
}

extension StoredReply {
    init(_ row: PostgresRow, at place: Int) {
        let subject = row.optionalText(place + 5).map { app in
            ReplySubject(
                app: app, clientID: row.optionalText(place + 6), userID: row.optionalText(place + 7),
                runID: row.optionalText(place + 8))
        }
        self.init(
            bodyDigest: row.bytes(place), status: Int(row.integer(place + 1)), body: row.bytes(place + 2),
            entityTag: row.optionalText(place + 3), subject: subject)
    }
}

extension Run {
    init(stored body: [UInt8]) throws {
        guard let json = try? JSONValue(parsing: body, limits: .kept), let object = json.object, let run = Run(object)
        else { throw RowFault("a run cannot be read") }
        self = run
    }
}

extension OutboxRow {
    init(_ row: PostgresRow, at place: Int, id: String) {
        self.init(
            id: id, app: row.text(place), url: row.text(place + 1), secretName: row.optionalText(place + 2),
            body: row.bytes(place + 3), clientID: row.optionalText(place + 4), userID: row.optionalText(place + 5),
            createdAt: Timestamp(milliseconds: row.integer(place + 6)))
        attempts = Int(row.integer(place + 7))
        nextAttempt = Timestamp(milliseconds: row.integer(place + 8))
        if let time = row.optionalInteger(place + 9) { state = .dead(at: Timestamp(milliseconds: time)) }
        lastFailure = row.optionalText(place + 10)
    }
}

extension StoredDocument {
    /// Reads the columns revision, source, text, published_at and author.
    init(_ row: PostgresRow, at place: Int) throws {
        guard let source = DocumentSource(rawValue: row.text(place + 1)) else {
            throw RowFault("the source of a document cannot be read")
        }
        self.init(
            revision: Int(row.integer(place)), source: source, text: row.bytes(place + 2),
            publishedAt: Timestamp(milliseconds: row.integer(place + 3)), author: row.text(place + 4))
    }

    /// The values of the same columns.
    var values: [PostgresValue] {
        [
            .integer(Int64(revision)), .text(source.rawValue), .bytes(text), .integer(publishedAt.milliseconds),
            .text(author),
        ]
    }
}

extension StoredRecipe {
    init(_ row: PostgresRow, at place: Int, slug: String) throws {
        guard let state = RecipeState(rawValue: row.text(place)), !row.isNull(place + 2) else {
            throw RowFault("recipe \(slug) cannot be read")
        }
        self.init(
            slug: slug, state: state, document: try StoredDocument(row, at: place + 2),
            inForce: row.isNull(place + 7) ? nil : try StoredDocument(row, at: place + 7),
            stateSince: row.optionalInteger(place + 1).map { Timestamp(milliseconds: $0) })
    }
}

extension AuditRecord {
    /// Reads the columns sequence, text and hash.
    init(_ row: PostgresRow, at place: Int) {
        self.init(sequence: row.integer(place), text: row.bytes(place + 1), hash: row.bytes(place + 2))
    }
}

extension DocumentName {
    init(storedLocale: String) { self = storedLocale.isEmpty ? .manifest : .strings(locale: storedLocale) }
}

extension PostgresStatement {
    /// A statement whose text has `?` for each parameter, in order.
    static func numbering(_ sql: String, _ values: [PostgresValue] = []) -> PostgresStatement {
        var number = 0
        var text = ""
        text.reserveCapacity(sql.utf8.count + 16)
        for character in sql.unicodeScalars {
            if character == "?" {
                number += 1
                text += "$\(number)"
            } else {
                text.unicodeScalars.append(character)
            }
        }
        return PostgresStatement(text, values)
    }

    static func numbering(_ sql: String, _ values: PostgresValue...) -> PostgresStatement { numbering(sql, values) }
}
