internal import Parquet

/// A value as both forms have it. The NDJSON has null for what an int32 cannot represent.
enum Value: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case text(String)
}

/// Rows that a function makes from their number and a seed.
struct DataSet: Sendable {
    let name: String
    let columns: [ParquetColumn]
    let rows: Int
    var rowsPerGroup = 100_000
    let row: @Sendable (Int, inout SeededGenerator) -> [Value]

    /// Writes `path`.ndjson, the columns' types as `path`.json, and for each codec `path`-CODEC.parquet.
    func write(to path: String, seed: UInt64) {
        let ndjson = OutputFile(path + ".ndjson")
        eachRow(seed) { values in
            var line = Array(json(values).utf8)
            ndjson.drain(&line)
        }
        let types = columns.map { "\(quoted($0.name)): [\"\($0.type)\", \($0.isRequired), \($0.hasStatistics)]" }
        var text = Array("{\(types.joined(separator: ", "))}\n".utf8)
        OutputFile(path + ".json").drain(&text)
        for (codec, compressor) in Fixture.compressors {
            writeParquet(to: "\(path)-\(codec).parquet", compressor, seed: seed)
        }
    }

    private func writeParquet(to path: String, _ compressor: ParquetCompressor, seed: UInt64) {
        let file = OutputFile(path)
        var writer = ParquetWriter(columns, compressor: compressor, rowsPerGroup: rowsPerGroup)
        var output: [UInt8] = []
        eachRow(seed) { values in
            for (column, value) in values.enumerated() { set(value, column, &writer) }
            writer.endRow(&output)
            file.drain(&output)
        }
        precondition(writer.rows == rows)
        writer.finish(metadata: [("bellwether.schema", "1"), ("bellwether.app", "Trail \u{1F97E}")], &output)
        file.drain(&output)
    }

    private func eachRow(_ seed: UInt64, _ body: ([Value]) -> Void) {
        var random = SeededGenerator(seed: seed)
        for index in 0..<rows { body(row(index, &random)) }
    }

    private func set(_ value: Value, _ column: Int, _ writer: inout ParquetWriter) {
        switch value {
        case .null: break
        case .boolean(let value): writer.set(column, value)
        case .integer(let value): writer.set(column, value)
        case .double(let value): writer.set(column, value)
        case .text(let text) where text.utf8.count.isMultiple(of: 2): writer.set(column, text)
        case .text(let text): writer.set(column, ([0x21] + Array(text.utf8)).dropFirst())
        }
    }

    private func json(_ values: [Value]) -> String {
        let members = zip(columns, values).map { column, value in
            "\(quoted(column.name)):\(json(value, column.type))"
        }
        return "{\(members.joined(separator: ","))}\n"
    }

    /// Python's form of numbers that are none.
    private func json(_ value: Value, _ type: ParquetType) -> String {
        switch value {
        case .null: return "null"
        case .boolean(let value): return "\(value)"
        case .integer(let value): return type == .int32 && Int32(exactly: value) == nil ? "null" : "\(value)"
        case .double(let value) where value.isNaN: return "NaN"
        case .double(let value) where value.isInfinite: return value < 0 ? "-Infinity" : "Infinity"
        case .double(let value): return "\(value)"
        case .text(let text): return quoted(text)
        }
    }

    private func quoted(_ text: String) -> String {
        var json = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": json += "\\\(scalar)"
            case "\u{0}"..<" ":
                let hex = String(scalar.value, radix: 16)
                json += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: json.unicodeScalars.append(scalar)
            }
        }
        return json + "\""
    }
}
