internal import BellwetherBase
public import BellwetherCore
public import BellwetherJSON

/// The formats in which a body has the ids of a list (docs/reference/audiences.md#the-body).
public enum ListFormat: Sendable, Hashable {
    /// An id a line.
    case text
    /// The first column of each record (RFC 4180).
    case csv
    /// A JSON value a line: a text, or an object with `id`.
    case lines
    /// `{"ids": […]}`.
    case json
}

/// The ids of a body, and the lines that are no ids.
public struct ListReading: Sendable {
    /// The number of faults that are reported.
    static let maximumFaults = 100

    /// The ids, each once, as a list keeps them.
    public private(set) var entries = ListEntries()
    /// How many lines had an id that stood in the body before.
    public private(set) var duplicates = 0
    /// The first faults, in byte order of their pointers.
    public private(set) var faults: [Finding] = []
    /// The number of all lines with a fault.
    public private(set) var badLines = 0
    /// Whether the body has more ids than a list may have. Then the rest was not read.
    public private(set) var isTooMuch = false

    private let hash: SipHash
    private var builder = ListEntriesBuilder(atMost: StoredList.maximumCount)

    private init(_ hash: SipHash) { self.hash = hash }

    /// Reads a body. Throws if it has to be JSON and is not.
    public static func read(
        _ body: ArraySlice<UInt8>, _ format: ListFormat, _ key: ListKey
    ) throws(JSONError) -> ListReading {
        var reading = ListReading(key.hash)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let body = body.starts(with: mark) ? body.dropFirst(mark.count) : body
        switch format {
        case .text: reading.readLines(of: body) { $0.note(Self.trimmed($1), line: $2) }
        case .lines: reading.readLines(of: body) { $0.note(json: $1, line: $2) }
        case .csv: reading.readRecords(of: body)
        case .json: try reading.readDocument(body)
        }
        reading.isTooMuch = reading.builder.isTooMuch
        guard reading.badLines == 0, !reading.isTooMuch else { return reading }
        reading.entries = reading.builder.finish()
        reading.isTooMuch = reading.entries.count > StoredList.maximumCount
        reading.duplicates = reading.builder.count - reading.entries.count
        return reading
    }

    /// Whether the rest of the body need not be read.
    private var isOver: Bool { builder.isTooMuch || CheckTime.isOver() }

    /// The lines, without their ends, that are not empty, with their numbers from 1.
    private mutating func readLines(
        of body: ArraySlice<UInt8>, _ read: (inout ListReading, ArraySlice<UInt8>, Int) -> Void
    ) {
        var (place, number) = (body.startIndex, 0)
        while place < body.endIndex {
            number += 1
            let end = body[place...].firstIndex(of: UInt8(ascii: "\n")) ?? body.endIndex
            let line = Self.trimmed(Self.withoutReturn(body[place..<end]))
            if !line.isEmpty { read(&self, line, number) }
            if number.isMultiple(of: 4096), isOver { return }
            place = end + 1
        }
    }

    private static func withoutReturn(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    /// The text without spaces and tabs around it.
    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var (start, end) = (text.startIndex, text.endIndex)
        while start < end, isBlank(text[start]) { start += 1 }
        while start < end, isBlank(text[end - 1]) { end -= 1 }
        return text[start..<end]
    }

    private mutating func note(_ id: ArraySlice<UInt8>, line: Int) {
        note(id) { JSONPointer(tokens: [String(line)]) }
    }

    /// Adds an id, or reports that it is none.
    private mutating func note(_ id: ArraySlice<UInt8>, at pointer: () -> JSONPointer) {
        if Self.isPlain(id) { return builder.add(ListEntry(id, hash)) }
        guard let text = String(validating: id, as: UTF8.self) else {
            return fault("utf8", at: pointer(), "the id is not UTF-8")
        }
        guard text.isIdentifier else {
            return fault("identifier", at: pointer(), "an id has 1 to 128 printable characters")
        }
        builder.add(ListEntry(id, hash))
    }

    /// Whether the bytes are 1 to 128 printable characters of ASCII, as most ids are.
    private static func isPlain(_ id: ArraySlice<UInt8>) -> Bool {
        (1...128).contains(id.count) && id.allSatisfy { 0x20...0x7E ~= $0 }
    }

    /// Keeps the first faults in byte order of their pointers.
    private mutating func fault(_ code: String, at pointer: JSONPointer, _ message: String) {
        badLines += 1
        let text = pointer.description
        if faults.count == Self.maximumFaults, let last = faults.last, last.pointer.description < text { return }
        let place = faults.firstIndex { text < $0.pointer.description } ?? faults.count
        faults.insert(Finding(pointer: pointer, code: code, message: message), at: place)
        if faults.count > Self.maximumFaults { faults.removeLast() }
    }
}

/// JSON.
extension ListReading {
    private mutating func note(json line: ArraySlice<UInt8>, line number: Int) {
        let pointer = JSONPointer(tokens: [String(number)])
        do {
            let value = try JSONValue(parsing: line)
            if let object = value.object, object["id"] == nil {
                return fault("required", at: pointer, "the line has no \"id\"")
            }
            note(value.object?["id"] ?? value) { pointer }
        } catch {
            let code = error.kind == .utf8 ? "utf8" : "json_\(error.kind.rawValue)"
            fault(code, at: pointer, error.message)
        }
    }

    private mutating func note(_ value: JSONValue, at pointer: () -> JSONPointer) {
        guard let text = value.string else { return fault("type", at: pointer(), "an id is a text") }
        note(Array(text.utf8)[...], at: pointer)
    }

    private mutating func readDocument(_ body: ArraySlice<UInt8>) throws(JSONError) {
        let limits = JSONLimits(depth: 8, bytes: body.count, values: StoredList.maximumCount * 2)
        let pointer = JSONPointer(tokens: ["ids"])
        let value = try JSONValue(parsing: body, limits: limits)
        guard let member = value.object?["ids"] else { return fault("required", at: pointer, "\"ids\" is missing") }
        guard let ids = member.array else { return fault("type", at: pointer, "\"ids\" is a list of texts") }
        for (index, id) in ids.enumerated() {
            note(id) { JSONPointer(tokens: ["ids", String(index)]) }
            if index.isMultiple(of: 4096), isOver { return }
        }
    }
}

/// CSV (RFC 4180).
extension ListReading {
    private static let heads = ["id", "client_id", "user_id"].map { Array($0.utf8) }

    private mutating func readRecords(of body: ArraySlice<UInt8>) {
        var record = CSVRecord(body)
        var isFirst = true
        while record.next() {
            defer { isFirst = false }
            if record.isEmpty || isFirst && Self.heads.contains(where: { record.first.elementsEqual($0) }) { continue }
            if record.isMalformed {
                fault(
                    "identifier", at: JSONPointer(tokens: [String(record.line)]),
                    "the quoted field does not end with a quote before the next comma or line")
            } else {
                note(record.first, line: record.line)
            }
            if record.line.isMultiple(of: 4096), isOver { return }
        }
    }
}

/// The records of a CSV text, one after another.
private struct CSVRecord {
    private let text: ArraySlice<UInt8>
    private var place: Int
    private var nextLine = 1
    /// The number of the record's first line, from 1.
    private(set) var line = 0
    /// The first field.
    private(set) var first: ArraySlice<UInt8> = []
    private(set) var isEmpty = true
    /// Whether a quoted field has no end, or text after its end.
    private(set) var isMalformed = false

    init(_ text: ArraySlice<UInt8>) { (self.text, place) = (text, text.startIndex) }

    /// Reads the next record; false at the end of the text.
    mutating func next() -> Bool {
        guard place < text.endIndex else { return false }
        (line, isMalformed) = (nextLine, false)
        first = field()
        isEmpty = first.isEmpty && !isMalformed && isAtEnd && !wasQuoted
        while place < text.endIndex, text[place] == UInt8(ascii: ",") {
            place += 1
            let isBroken = isMalformed
            _ = field()
            isMalformed = isBroken
        }
        if place < text.endIndex, text[place] == UInt8(ascii: "\r") { place += 1 }
        if place < text.endIndex {
            place += 1
            nextLine += 1
        }
        return true
    }

    private var wasQuoted = false

    /// Whether the line ends here.
    private var isAtEnd: Bool {
        guard place < text.endIndex else { return true }
        if text[place] == UInt8(ascii: "\n") { return true }
        guard text[place] == UInt8(ascii: "\r") else { return false }
        return place + 1 == text.endIndex || text[place + 1] == UInt8(ascii: "\n")
    }

    private mutating func field() -> ArraySlice<UInt8> {
        wasQuoted = place < text.endIndex && text[place] == UInt8(ascii: "\"")
        let content = wasQuoted ? quoted() : []
        let start = place
        while !isAtEnd, text[place] != UInt8(ascii: ",") { place += 1 }
        guard wasQuoted else { return text[start..<place] }
        if place > start { isMalformed = true }
        return content
    }

    private mutating func quoted() -> ArraySlice<UInt8> {
        place += 1
        var content: [UInt8] = []
        while place < text.endIndex {
            let byte = text[place]
            place += 1
            if byte == UInt8(ascii: "\"") {
                guard place < text.endIndex, text[place] == UInt8(ascii: "\"") else { return content[...] }
                place += 1
            }
            if byte == UInt8(ascii: "\n") { nextLine += 1 }
            content.append(byte)
        }
        isMalformed = true
        return content[...]
    }
}
