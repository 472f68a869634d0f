public import Parquet

/// The tables of the data for analysis (docs/reference/data.md).
///
/// The columns of a version never change. A reader takes the schema of the first file that it opens, so a further
/// column would break readers of older files (docs/decisions/0146-the-columns-of-a-version-never-change.md). A new fact
/// is in `extra` at once, and the next version has a column for it.
public enum DataTable: String, Sendable, Hashable, CaseIterable {
    case events, responses, answers

    /// The version of the columns.
    public static let schema = 1

    public var columns: [DataColumn] {
        switch self {
        case .events: EventRow.columns.map(\.column)
        case .responses: ResponseRow.columns.map(\.column)
        case .answers: AnswerRow.columns.map(\.column)
        }
    }

    /// The meaning of a row, and of a day of the table.
    public var sentence: String {
        switch self {
        case .events: "One row for each record of the log. A day has the records that were received on it."
        case .responses: "One row for each run or answer of a microsurvey. A day has those that began on it."
        case .answers: "One row for each part of an answer. A day has the parts of the responses that began on it."
        }
    }
}

/// A column of a table.
public struct DataColumn: Sendable {
    public let name: String
    public let type: ParquetType
    /// Whether no row lacks a value.
    public let isRequired: Bool
    /// The meaning, for the reference.
    public let sentence: String
    /// Whether files have the least and the greatest value.
    let hasStatistics: Bool

    var parquet: ParquetColumn {
        ParquetColumn(name, type, isRequired: isRequired, hasStatistics: hasStatistics)
    }
}

/// A column, and the function that takes its value from a row.
struct DataField<Row>: Sendable {
    let column: DataColumn
    let value: @Sendable (Row) -> DataValue

    init(
        _ name: String, _ type: ParquetType, _ sentence: String, isRequired: Bool = false,
        hasStatistics: Bool = true, _ value: @escaping @Sendable (Row) -> DataValue
    ) {
        column = DataColumn(
            name: name, type: type, isRequired: isRequired, sentence: sentence, hasStatistics: hasStatistics)
        self.value = value
    }
}

/// The value of a column in one row.
enum DataValue {
    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)

    init(_ text: String?) { self = text.map { .text($0) } ?? .null }

    func set(_ index: Int, in writer: inout ParquetWriter) {
        switch self {
        case .null: break
        case .flag(let flag): writer.set(index, flag)
        case .integer(let integer): writer.set(index, integer)
        case .number(let number): writer.set(index, number)
        case .text(let text): writer.set(index, text)
        }
    }
}
