internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
public import BellwetherService

/// The log as CSV (RFC 4180): a header, then one record on each line.
///
/// The columns never change, and each has one type, so a file can become a Parquet table without conversion. Times are
/// RFC 3339, `option_index` and `revision` are whole numbers, and all other columns are text. An empty field is null;
/// an empty text is `""`. The column `extra` has all members of `extra` as JSON, including members without a column. A
/// text that a spreadsheet would run as a formula starts with an apostrophe (`CSV`).
public enum TelemetryCSV {
    /// The members of `extra` that have their own column, as in Parquet.
    private static let texts = ExtraMember.texts.map(\.text)
    private static let numbers = ExtraMember.numbers.map(\.text)

    private static let columns =
        ["cursor", "received_at", "at", "client_id", "category", "name", "experiment", "branch"] + texts + numbers
        + ["extra"]

    public static func writeHeader(to output: inout [UInt8]) { CSV.write(columns.map { .literal($0) }, to: &output) }

    public static func write(_ row: TelemetryRow, to output: inout [UInt8]) {
        let extra = row.members
        var fields: [CSV.Field] = [
            .literal(row.cursor.text), .literal(row.receivedAt.rfc3339), .literal(row.at.rfc3339),
            .text(row.clientID.text), .text(row.category.text), .text(row.name.text),
            .text(row.experiment?.text ?? extra["experiment"]?.string),
            .text(row.branch?.text ?? extra["branch"]?.string),
        ]
        fields += texts.map { name in .text(extra[name].flatMap { $0 == .null ? nil : $0.string ?? $0.text }) }
        fields += numbers.map { .literal(extra[$0]?.wholeNumber) }
        fields.append(.text(row.extra))
        CSV.write(fields, to: &output)
    }
}

extension JSONValue {
    /// The number as text. Phones send numbers as text too.
    fileprivate var wholeNumber: String? {
        if let integer { return String(integer) }
        return string.flatMap { Int64($0) }.map { String($0) }
    }
}
