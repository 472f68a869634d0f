import BellwetherCore
import GRDB

/// Table `event_id`: which events of a client were seen, for as long as retention keeps them.
struct EventIDRows {
    private let insert: Prepared

    init(_ database: Database) throws {
        insert = try Prepared(database, "INSERT OR IGNORE INTO event_id (client, id, at) VALUES (?, ?, ?)")
    }

    /// False: the id is known already.
    func insert(_ id: String, client: Int64, at: Timestamp) throws -> Bool {
        try insert.run(.integer(client), .blob(EventIDKey(id).bytes), .integer(at.seconds)) == 1
    }
}

/// An event id as it is stored: the form, then the form's bytes, so that no two ids share a spelling.
///
/// Most ids are UUIDs of one case, which take 17 bytes instead of 37; any other text is kept as it is.
struct EventIDKey {
    private enum Form: UInt8 {
        case text = 0
        case lowercaseUUID = 1
        case uppercaseUUID = 2
    }

    let bytes: [UInt8]

    init(_ id: String) {
        bytes =
            Self.uuid(id, .lowercaseUUID, a: UInt8(ascii: "a")) ?? Self.uuid(id, .uppercaseUUID, a: UInt8(ascii: "A"))
            ?? [Form.text.rawValue] + id.utf8
    }

    /// The form and the 16 bytes of a UUID written with this case's hexadecimal digits; nil for anything else.
    private static func uuid(_ id: String, _ form: Form, a: UInt8) -> [UInt8]? {
        guard id.utf8.count == 36 else { return nil }
        var bytes: [UInt8] = [form.rawValue]
        bytes.reserveCapacity(17)
        var high: UInt8?
        for (position, character) in id.utf8.enumerated() {
            if [8, 13, 18, 23].contains(position) {
                guard character == UInt8(ascii: "-") else { return nil }
                continue
            }
            let digit: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
            case a...(a + 5): digit = character - a + 10
            default: return nil
            }
            if let upper = high {
                bytes.append(upper << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }
}
