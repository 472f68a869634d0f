internal import BellwetherBase
import BellwetherCore
import BellwetherJSON
import SQLiteWire

/// Table `event_id`: the events of each client that were seen, for as long as retention keeps them.
struct EventIDRows {
    private let database: SQLiteConnection
    private let insert: Prepared
    private let select: Prepared

    init(_ database: SQLiteConnection) throws {
        self.database = database
        insert = try Prepared(database, "INSERT OR IGNORE INTO event_id (client, id, at) VALUES (?, ?, ?)")
        select = try Prepared(database, "SELECT 1 FROM event_id WHERE client = ? AND id = ?")
    }

    func contains(_ id: Identifier, client: Int64) throws -> Bool {
        try select.first(.integer(client), .blob(EventIDKey(id).bytes)) { _ in true } ?? false
    }

    func insert(_ id: Identifier, client: Int64, at: Timestamp) throws {
        try insert.run(.integer(client), .blob(EventIDKey(id).bytes), .integer(at.seconds))
    }

    func delete(client: Int64) throws {
        try Prepared(database, "DELETE FROM event_id WHERE client = ?").run(.integer(client))
    }
}

/// The stored form of an event id: the form's number, then the form's bytes. No two ids have the same stored form.
///
/// Most ids are UUIDs of one case, which take 17 bytes instead of 37. Any other text is stored unchanged.
struct EventIDKey {
    private enum Form: UInt8 {
        case text = 0
        case lowercaseUUID = 1
        case uppercaseUUID = 2
    }

    let bytes: [UInt8]

    init(_ id: Identifier) {
        bytes =
            Self.uuid(id, .lowercaseUUID, a: UInt8(ascii: "a")) ?? Self.uuid(id, .uppercaseUUID, a: UInt8(ascii: "A"))
            ?? [Form.text.rawValue] + id.utf8
    }

    init(stored bytes: [UInt8]) { self.bytes = bytes }

    /// The original text of the id.
    var id: [UInt8] {
        let isUpper = bytes.first == Form.uppercaseUUID.rawValue
        guard isUpper || bytes.first == Form.lowercaseUUID.rawValue else { return Array(bytes.dropFirst()) }
        let digits = Array((isUpper ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
        var id: [UInt8] = []
        for (place, byte) in bytes.dropFirst().enumerated() {
            if [4, 6, 8, 10].contains(place) { id.append(UInt8(ascii: "-")) }
            id += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return id
    }

    /// The form's number and the 16 bytes of a UUID with hexadecimal digits of this case; nil for any other text.
    private static func uuid(_ id: Identifier, _ form: Form, a: UInt8) -> [UInt8]? {
        let characters = id.utf8.span
        guard characters.count == 36 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(17)
        bytes.append(form.rawValue)
        var position = 0
        while position < 36 {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard characters[position] == UInt8(ascii: "-") else { return nil }
                position += 1
            }
            guard let high = digit(characters[position], a), let low = digit(characters[position + 1], a) else {
                return nil
            }
            bytes.append(high << 4 | low)
            position += 2
        }
        return bytes
    }

    private static func digit(_ character: UInt8, _ a: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case a...(a + 5): character - a + 10
        default: nil
        }
    }
}
