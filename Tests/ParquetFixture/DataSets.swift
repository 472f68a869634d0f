internal import Parquet

/// The data sets.
extension DataSet {
    static let all: [DataSet] = [
        none, one, nulls, mixed, required, texts, distinct, mostlyDistinct, runs, wide, extremes, large, ordered,
    ]

    private static let types: [ParquetType] = [.boolean, .int32, .int64, .double, .timestamp, .string]
    private static let eachType = types.map { ParquetColumn("\($0)", $0) }
    private static let eachTypeRequired = types.map { ParquetColumn("\($0)", $0, isRequired: true) }

    private static let none = DataSet(name: "none", columns: eachType + [id], rows: 0) { _, _ in [] }
    private static let one = DataSet(name: "one", columns: eachTypeRequired, rows: 1) { _, random in
        types.map { value($0, &random) }
    }
    private static let nulls = DataSet(name: "nulls", columns: eachType + [id], rows: 1000, rowsPerGroup: 300) {
        row, _ in
        types.map { _ in .null } + [.integer(Int64(row))]
    }
    private static let mixed = DataSet(name: "mixed", columns: eachType + [id], rows: 5000, rowsPerGroup: 257) {
        row, random in
        // Whole stretches of a column are null too, some of them whole groups.
        types.enumerated().map { index, type in
            (row / 300 + index).isMultiple(of: 3) || Int.random(in: 0..<4, using: &random) == 0
                ? .null : value(type, &random)
        } + [.integer(Int64(row))]
    }
    private static let required = DataSet(name: "required", columns: eachTypeRequired, rows: 2000, rowsPerGroup: 777) {
        _, random in types.map { value($0, &random) }
    }

    private static let strangeTexts = [
        "", "\u{0}", "a\u{0}", "a\u{0}b", "\u{1F97E}", "\u{1F3D4}\u{FE0F}\u{10FFFF}", "ü", "\u{7F}", "\u{80}", "\"\\\n",
        String(repeating: "x", count: 64), "{\"survey_id\":\"trail\"}",
    ]
    private static let texts = DataSet(
        name: "texts",
        columns: [
            ParquetColumn("strange", .string), ParquetColumn("long", .string), ParquetColumn("Name \u{1F97E}", .string),
            ParquetColumn("without", .string, isRequired: true, hasStatistics: false),
        ],
        rows: 3000, rowsPerGroup: 1000
    ) { row, random in
        [
            row.isMultiple(of: 7) ? .null : .text(strangeTexts.randomElement(using: &random)!),
            .text(String(repeating: "y", count: Int.random(in: 0..<200, using: &random))),
            .text("\(row)"), .text(strangeTexts[row % strangeTexts.count]),
        ]
    }

    /// The first page shares its values, then the dictionary becomes full within a page.
    private static let distinct = DataSet(
        name: "distinct",
        columns: [
            ParquetColumn("text", .string), ParquetColumn("required", .string, isRequired: true),
            ParquetColumn("number", .int64), ParquetColumn("double", .double), ParquetColumn("small", .int32), id,
        ],
        rows: 130_000, rowsPerGroup: 90_000
    ) { row, random in
        let pool = row % 90_000 < 30_000 ? 4000 : 60_000
        let number = Int.random(in: 0..<pool, using: &random)
        return [
            row.isMultiple(of: 5) ? .null : .text("client-\(number)"), .text("\(number)"),
            .integer(Int64(number) << 33), .double(Double(number) / 7),
            row.isMultiple(of: 2) ? .null : .integer(Int64(number)), .integer(Int64(row)),
        ]
    }
    /// The first page already does not share enough.
    private static let mostlyDistinct = DataSet(
        name: "mostly-distinct", columns: [ParquetColumn("text", .string), ParquetColumn("number", .timestamp), id],
        rows: 45_000
    ) { row, random in
        [
            .text(row < 100 ? "same" : "\(random.next())"), .integer(1_795_000_000_000 + Int64(row / 2)),
            .integer(Int64(row)),
        ]
    }

    /// Runs of 1 to 20 values and nulls; the width of the indices grows with the column's number.
    private static let runs = DataSet(
        name: "runs",
        columns: (1...13).map { ParquetColumn("width\($0)", .int32) } + [ParquetColumn("flag", .boolean), id],
        rows: 20_000, rowsPerGroup: 9000
    ) { row, _ in
        (1...13).map { width -> Value in
            // Run lengths go from 1 to 20 and begin again: 210 rows.
            var run = 1
            var rest = row % 210
            while rest >= run { (rest, run) = (rest - run, run + 1) }
            let number = row / 210 * 20 + run
            return (number + width).isMultiple(of: 5) ? .null : .integer(Int64(number * 7919 % (1 << width)))
        } + [row / 9 % 3 == 0 ? .null : .boolean(row / 11 % 2 == 0), .integer(Int64(row))]
    }
    private static let wide = DataSet(
        name: "wide", columns: (0..<40).map { ParquetColumn("c\($0)", types[$0 % 6]) }, rows: 320, rowsPerGroup: 8
    ) { _, random in
        (0..<40).map { Bool.random(using: &random) ? .null : value(types[$0 % 6], &random) }
    }

    private static let extremes = DataSet(
        name: "extremes",
        columns: [
            ParquetColumn("int32", .int32), ParquetColumn("int64", .int64), ParquetColumn("double", .double),
            ParquetColumn("zero", .double), ParquetColumn("nan", .double), ParquetColumn("timestamp", .timestamp), id,
        ],
        rows: 60, rowsPerGroup: 25
    ) { row, random in
        let doubles = [Double.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1, 1e300]
        return [
            .integer([Int64(Int32.min), Int64(Int32.max), 1 << 31, -(1 << 31) - 1, .max, 0][row % 6]),
            .integer([Int64.min, .max, 0, -1][row % 4]), .double(doubles.randomElement(using: &random)!),
            .double(row.isMultiple(of: 2) ? 0.0 : -0.0), .double([Double.nan, .infinity, -.infinity, 1.5][row % 4]),
            .integer([0, -1, 4_102_444_800_000, -62_135_596_800_000][row % 4]), .integer(Int64(row)),
        ]
    }

    /// Pages end by bytes; the group ends by bytes: 1800 texts of 40 KB.
    private static let large = DataSet(name: "large", columns: [ParquetColumn("extra", .string), id], rows: 1800) {
        row, random in
        let word = String(random.next() % 10_000)
        return [.text(String(repeating: word, count: 40_000 / word.count)), .integer(Int64(row))]
    }
    /// Ten groups in the order of `position` and `received_at`, for the pruning of groups.
    private static let ordered = DataSet(
        name: "ordered",
        columns: [
            ParquetColumn("position", .int64, isRequired: true), ParquetColumn("cursor", .string, isRequired: true),
            ParquetColumn("received_at", .timestamp, isRequired: true), ParquetColumn("ratio", .double),
        ],
        rows: 10_000, rowsPerGroup: 1000
    ) { row, _ in
        let digits = String(1_000_000 + row)
        return [
            .integer(Int64(row)), .text("c\(digits)"), .integer(1_795_000_000_000 + Int64(row) * 1000),
            .double(Double(row) / 8),
        ]
    }

    private static let id = ParquetColumn("id", .int64, isRequired: true)

    private static func value(_ type: ParquetType, _ random: inout SeededGenerator) -> Value {
        switch type {
        case .boolean: return .boolean(.random(using: &random))
        case .int32: return .integer(Int64(Int32.random(in: -1000...1000, using: &random)))
        case .int64: return .integer(.random(in: -(1 << 40)...1 << 40, using: &random) >> (random.next() % 40))
        case .double: return .double(Double(Int.random(in: -4000...4000, using: &random)) / 16)
        case .timestamp: return .integer(1_795_000_000_000 + .random(in: 0...86_400_000, using: &random))
        case .string: return .text(String(Int.random(in: 0..<500, using: &random), radix: 36))
        }
    }
}
