internal import BellwetherCore
internal import BellwetherJSON
public import BellwetherService

/// The log as CSV (RFC 4180): a header, then one record a line.
///
/// The columns are always these, and each holds one type, so that a file can become a Parquet table as it is: times are
/// RFC 3339, `option_index` and `revision` whole numbers, everything else text. A field that is empty is null; an empty
/// text is `""`. What `extra` has beyond the columns is in `extra`, which is all of it as JSON.
public enum TelemetryCSV {
    /// Members of `extra` that have a column.
    private static let texts = [
        "message_key", "message_surface", "survey_id", "user_selection", "option_string_id", "locale", "feature_id",
    ]
    private static let numbers = ["option_index", "revision"]

    private static let columns =
        ["cursor", "received_at", "at", "client_id", "category", "name", "experiment", "branch"] + texts + numbers
        + ["extra"]

    public static func writeHeader(to output: inout [UInt8]) {
        output += columns.joined(separator: ",").utf8
        output += "\r\n".utf8
    }

    public static func write(_ row: TelemetryRow, to output: inout [UInt8]) {
        let extra = row.members
        var fields: [String?] = [
            row.cursor.text, row.receivedAt.rfc3339, row.at.rfc3339, row.clientID, row.category,
            row.name, row.experiment ?? extra["experiment"]?.string, row.branch ?? extra["branch"]?.string,
        ]
        fields += texts.map { name in extra[name].flatMap { $0 == .null ? nil : $0.string ?? $0.text } }
        fields += numbers.map { extra[$0]?.wholeNumber }
        fields.append(row.extra)
        for (position, field) in fields.enumerated() {
            if position > 0 { output.append(UInt8(ascii: ",")) }
            if let field { append(field, to: &output) }
        }
        output += "\r\n".utf8
    }

    private static func append(_ field: String, to output: inout [UInt8]) {
        let isPlain = !field.isEmpty && !field.utf8.contains { isSpecial($0) }
        guard !isPlain else { return output.append(contentsOf: field.utf8) }
        output.append(UInt8(ascii: "\""))
        for byte in field.utf8 {
            if byte == UInt8(ascii: "\"") { output.append(byte) }
            output.append(byte)
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0D || byte == 0x0A
    }
}

extension JSONValue {
    /// As text; phones send numbers as text too.
    fileprivate var wholeNumber: String? {
        if let integer { return String(integer) }
        return string.flatMap { Int64($0) }.map { String($0) }
    }
}
