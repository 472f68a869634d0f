internal import BellwetherBase
internal import BellwetherJSON
internal import Surveys

/// The responses of a file in the form of the daemon's import (docs/reference/surveys.md#import-of-responses).
struct ImportedRows {
    struct Row {
        let line: Int
        var json: JSONObject

        var id: String { json["id"]?.string ?? "" }
    }

    private(set) var rows: [Row] = []
    /// The faults of the file, and the faults of rows that are not sent.
    private(set) var faults: [LocatedFinding] = []
    /// The keys without a counterpart, with the number of rows that have them.
    private(set) var leftOut: [(key: String, count: Int)] = []

    private let path: String
    private let system: ForeignResponses

    /// - Parameter questions: The recipe's questions, with their types.
    init(
        _ text: [UInt8], at path: String, from system: ForeignResponses, to slug: String,
        _ questions: [ImportedQuestion]
    ) {
        (self.path, self.system) = (path, system)
        switch system {
        case .csv: readTable(text, questions)
        case .owlmetry, .surveynative: readJSON(text, slug)
        }
        identify()
        sortByTime()
    }

    /// Puts the oldest response first, because the answers of one person to a repeating recipe get their rounds in the
    /// order in which they are sent. A response without a time is of now.
    private mutating func sortByTime() {
        func time(_ row: Row) -> Timestamp {
            ["submitted_at", "updated_at", "created_at"].lazy.compactMap { key in
                row.json[key]?.string.flatMap { Timestamp(rfc3339: $0) }
                    ?? row.json[key]?.integer.map { Timestamp(milliseconds: $0) }
            }.first ?? .distantFuture
        }
        let times = rows.map(time)
        rows = rows.indices.sorted { (times[$0], $0) < (times[$1], $1) }.map { rows[$0] }
    }

    private mutating func fault(_ code: String, _ message: String, line: Int, column: Int = 1) {
        faults.append(
            LocatedFinding(
                Finding(pointer: .root, code: code, message: message), isFault: true, path: path,
                position: (line, column)))
    }

    private mutating func leaveOut(_ key: String) {
        if let index = leftOut.firstIndex(where: { $0.key == key }) {
            leftOut[index].count += 1
        } else {
            leftOut.append((key, 1))
        }
    }

    // MARK: JSON

    /// Reads a list of responses, or one response on each line.
    private mutating func readJSON(_ text: [UInt8], _ slug: String) {
        do throws(JSONError) {
            let document = try JSONValue(parsing: text, limits: .kept)
            let sourceMap = JSONSourceMap(text)
            for (pointer, response) in Self.responses(document) {
                take(response, line: sourceMap.position(of: pointer)?.line ?? 1, slug)
            }
        } catch {
            guard error.kind == .trailing else {
                return faults.append(LocatedFinding(error, path: path))
            }
            readLines(text, slug)
        }
    }

    private mutating func readLines(_ text: [UInt8], _ slug: String) {
        for (index, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            guard line.contains(where: { !" \t\r".utf8.contains($0) }) else { continue }
            do throws(JSONError) {
                take(try JSONValue(parsing: Array(line), limits: .kept), line: index + 1, slug)
            } catch {
                fault("json_\(error.kind.rawValue)", error.message, line: index + 1, column: error.column)
            }
        }
    }

    /// The responses of an array, of a page of a list (`responses` or `items`), or a single response.
    private static func responses(_ document: JSONValue) -> [(JSONPointer, JSONValue)] {
        for key in ["responses", "items"] {
            guard let list = document.object?[key]?.array else { continue }
            let root = JSONPointer.root.appending(key)
            return list.enumerated().map { (root.appending($0.offset), $0.element) }
        }
        guard let list = document.array else { return [(.root, document)] }
        return list.enumerated().map { (JSONPointer.root.appending($0.offset), $0.element) }
    }

    private mutating func take(_ response: JSONValue, line: Int, _ slug: String) {
        guard let object = response.object else {
            return fault("type", "expected a response, an object with answers", line: line)
        }
        if let other = object["slug"]?.identifier, other != slug {
            return fault("slug", "the response is to \"\(other)\"", line: line)
        }
        if let deleted = object["deleted_at"], deleted != .null { return leaveOut("deleted response") }
        var json = JSONObject()
        for member in object where member.value != .null && !Self.implied.contains(member.key) {
            if Self.keys.contains(member.key) {
                json[member.key] = member.value
            } else {
                leaveOut(member.key)
            }
        }
        if system == .owlmetry, let user = json["user_id"]?.string, user.hasPrefix("owl_anon_") {
            (json["user_id"], json["client_id"]) = (nil, .string(user))
        }
        rows.append(Row(line: line, json: json))
    }

    /// Members whose values follow from other members.
    private static let implied: Set = ["slug", "is_complete"]
    private static let keys = Set(
        RunSave.factKeys + [
            "id", "user_id", "client_id", "answers", "status", "created_at", "updated_at", "submitted_at", "is_dev",
        ])

    // MARK: CSV

    /// Columns of an export that an import does not read.
    private static let exported = ["revision", "message", "experiment", "branch"]
    private static let groups = ["attributes.", "texts."]

    private enum Column {
        case member(String)
        case answer(ImportedQuestion)
        case leftOut
    }

    private mutating func readTable(_ text: [UInt8], _ questions: [ImportedQuestion]) {
        var reader = CSVReader(text)
        do throws(CSVReader.Failure) {
            guard let header = try reader.next() else { return fault("header", "the file has no header", line: 1) }
            let columns = columns(header, questions)
            guard faults.isEmpty else { return }
            while let record = try reader.next() {
                guard record.fields.count == columns.count else {
                    fault(
                        "columns", "the line has \(record.fields.count) fields, the header \(columns.count)",
                        line: record.line)
                    continue
                }
                take(record, columns)
            }
        } catch {
            fault("csv", error.message, line: error.line)
        }
    }

    private mutating func columns(_ header: CSVReader.Record, _ questions: [ImportedQuestion]) -> [Column] {
        var names: Set<String> = []
        return header.fields.map { name in
            if !names.insert(name).inserted {
                fault("duplicate", "there are two columns \"\(name)\"", line: header.line)
            }
            let id = name.hasPrefix("answers.") ? Identifier(name.dropFirst("answers.".count)) : Identifier(name)
            if id == name, name != "answers", Self.keys.contains(name) { return .member(name) }
            if let question = questions.first(where: { $0.id == id }) { return .answer(question) }
            if Self.exported.contains(name) || Self.groups.contains(where: { name.hasPrefix($0) }) {
                leaveOut(name)
                return .leftOut
            }
            fault("unknown_key", "\"\(id)\" is no question of the recipe, and nothing else", line: header.line)
            return .leftOut
        }
    }

    private mutating func take(_ record: CSVReader.Record, _ columns: [Column]) {
        var (json, answers) = (JSONObject(), JSONObject())
        for (field, column) in zip(record.fields, columns) where !field.isEmpty {
            let text = Self.unguarded(field)
            switch column {
            case .member("is_dev"): json["is_dev"] = .bool(["true", "1"].contains(text))
            case .member(let name): json[name] = .string(text)
            case .answer(let question): answers[question.id] = question.answer(text)
            case .leftOut: break
            }
        }
        json["answers"] = .object(answers)
        rows.append(Row(line: record.line, json: json))
    }

    /// The field without the apostrophe that prevents a spreadsheet from running it.
    private static func unguarded(_ field: String) -> String {
        let bytes = Array(field.utf8.prefix(2))
        guard bytes.count == 2, bytes[0] == UInt8(ascii: "'"), "=+-@\t\r\n".utf8.contains(bytes[1]) else {
            return field
        }
        return String(field.dropFirst())
    }

    // MARK: Ids

    /// A response without an id gets an id from its content, and from its number among responses with the same content.
    /// So the same file always has the same ids.
    private mutating func identify() {
        var counts: [String: Int] = [:]
        var lines: [String: Int] = [:]
        var kept: [Row] = []
        for var row in rows {
            if row.json["id"]?.string == nil {
                let digest = SHA256.hash(JSONValue.object(row.json).encoded).prefix(16)
                    .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                counts[digest, default: 0] += 1
                row.json["id"] = .string("\(digest).\(counts[digest] ?? 1)")
            }
            if let first = lines[row.id] {
                fault("duplicate", "the response of line \(first) has the same id", line: row.line)
            } else {
                lines[row.id] = row.line
                kept.append(row)
            }
        }
        rows = kept
    }
}

/// The system that a file's responses come from.
enum ForeignResponses: String, CaseIterable {
    case owlmetry, surveynative, csv
}

/// A question of a recipe, for the answers in a table.
struct ImportedQuestion {
    let id: Identifier
    private let type: String

    /// All questions of a questionnaire or survey.
    static func all(of recipe: JSONValue) -> [ImportedQuestion] {
        let questions = (recipe.object?["schema"] ?? recipe).object?["questions"]?.array ?? []
        return questions.flatMap { [$0] + ($0.object?["sub_questions"]?.array ?? []) }.compactMap { question in
            guard let question = question.object, let id = question["id"]?.identifier else { return nil }
            return ImportedQuestion(id: id, type: (question["type"] ?? question["question_type"])?.string ?? "")
        }
    }

    /// A text that is not an answer of the type stays a text, and the daemon reports its fault.
    func answer(_ text: String) -> JSONValue {
        let value = try? JSONValue(parsing: Array(text.utf8))
        switch type {
        case "rating", "nps": return value?.integer.map { .integer($0) } ?? .string(text)
        case "multi_choice", "multi_select", "add_text_field":
            if let list = value?.array { return .array(list) }
            let parts = text.split(separator: ";").map { part in
                String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
            return .array(parts.map { .string($0) })
        case "single_select", "multi_text_field", "dynamic_label_text_field", "table_select":
            return value?.object.map { .object($0) } ?? .string(text)
        default: return .string(text)
        }
    }
}
