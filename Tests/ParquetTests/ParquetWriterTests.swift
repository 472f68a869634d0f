import Parquet
import Testing

/// Whole files, which these tests read themselves; Conformance/parquet_test.py has the real readers.
@Suite struct ParquetWriterTests {
    private static let types: [ParquetType] = [.boolean, .int32, .int64, .double, .timestamp, .string]

    /// Writes rows, and checks that a reader gets them back.
    private func file(
        _ columns: [ParquetColumn], _ rows: [[Cell?]], rowsPerGroup: Int = 100_000, metadata: [(String, String)] = []
    ) throws -> ParquetReader {
        var writer = ParquetWriter(columns, compressor: .none, rowsPerGroup: rowsPerGroup)
        var output: [UInt8] = []
        for row in rows {
            for (column, cell) in row.enumerated() { set(column, cell, &writer) }
            writer.endRow(&output)
        }
        #expect(writer.rows == rows.count)
        writer.finish(metadata: metadata, &output)
        let reader = try ParquetReader(output)
        #expect(reader.rows == rows.count)
        for column in columns.indices { #expect(try reader.values(column) == rows.map { $0[column] }) }
        return reader
    }

    private func set(_ column: Int, _ cell: Cell?, _ writer: inout ParquetWriter) {
        switch cell {
        case nil: break
        case .boolean(let value): writer.set(column, value)
        case .integer(let value): writer.set(column, value)
        case .double(let value): writer.set(column, value)
        case .text(let value): writer.set(column, value)
        }
    }

    private func cell(_ type: ParquetType, _ number: Int) -> Cell {
        switch type {
        case .boolean: return .boolean(number.isMultiple(of: 2))
        case .int32, .int64, .timestamp: return .integer(Int64(number) - 50)
        case .double: return .double(Double(number) / 4)
        case .string: return .text("text \(number)")
        }
    }

    @Test(arguments: [true, false])
    func `A file of no rows has a schema and no groups`(_ isRequired: Bool) throws {
        let reader = try file(Self.types.map { ParquetColumn("\($0)", $0, isRequired: isRequired) }, [])
        #expect(reader.groups.isEmpty)
        let names = reader.footer[2]?.elements.compactMap { $0[4]?.text }
        #expect(names == ["schema", "boolean", "int32", "int64", "double", "timestamp", "string"])
        let repetition = reader.footer[2]?.elements.dropFirst().map { $0[3]?.integer }
        #expect(repetition == Self.types.map { _ in isRequired ? 0 : 1 })
        #expect(reader.footer[2]?.elements.map { $0[6]?.integer } == [nil, nil, nil, nil, nil, 9, 0])
        #expect(reader.footer[6]?.text == "bellwether version 1")
    }

    @Test func `20 columns and 20 groups are read`() throws {
        let columns = (0..<20).map { ParquetColumn("c\($0)", Self.types[$0 % 6]) }
        let rows = (0..<100).map { row in
            columns.enumerated().map { index, column in
                (row + index).isMultiple(of: 3) ? nil : cell(column.type, row * (index + 1) % 7)
            }
        }
        let reader = try file(columns, rows, rowsPerGroup: 5, metadata: [("first", "a"), ("last", "\u{1F97E}")])
        #expect(reader.groups.count == 20)
        #expect(reader.groups.allSatisfy { $0[1]?.elements.count == 20 && $0[3]?.integer == 5 })
        #expect(reader.footer[7]?.elements.count == 20)
        #expect(reader.footer[5]?.elements.map { $0[2]?.text } == ["a", "\u{1F97E}"])
    }

    @Test func `Columns that are null throughout have pages without a dictionary`() throws {
        let columns = Self.types.map { ParquetColumn("\($0)", $0) }
        let reader = try file(columns, [[Cell?]](repeating: columns.map { _ in nil }, count: 30), rowsPerGroup: 20)
        for column in columns.indices {
            #expect(try reader.encodings(0, column) == [0])
            #expect(reader.description(0, column)[11] == nil)
            #expect(reader.description(0, column)[12] == .structure([3: .integer(20)]))
        }
    }

    @Test func `Rows after the last value of a column are null`() throws {
        let rows = (0..<40).map { row in Self.types.map { row == 17 ? cell($0, row) : nil } }
        _ = try file(Self.types.map { ParquetColumn("\($0)", $0) }, rows, rowsPerGroup: 25)
    }

    @Test(arguments: [0, 1, 7, 8, 9, 19_999, 20_000, 20_001, 40_001])
    func `Required columns have no levels`(_ count: Int) throws {
        let columns = Self.types.map { ParquetColumn("\($0)", $0, isRequired: true) }
        _ = try file(columns, (0..<count).map { row in columns.map { cell($0.type, row % 300) } })
    }

    @Test func `A number that an int32 cannot represent is null`() throws {
        var writer = ParquetWriter([ParquetColumn("number", .int32)], compressor: .none)
        var output: [UInt8] = []
        for number in [Int64(Int32.max), 1 << 31, Int64(Int32.min), -(1 << 31) - 1, .max, .min] {
            writer.set(0, number)
            writer.endRow(&output)
        }
        writer.finish(metadata: [], &output)
        let (least, greatest) = (Cell.integer(Int64(Int32.min)), Cell.integer(Int64(Int32.max)))
        #expect(try ParquetReader(output).values(0) == [greatest, nil, least, nil, nil, nil])
    }

    @Test func `The first value of a column in a row counts`() throws {
        var writer = ParquetWriter([ParquetColumn("a", .string), ParquetColumn("b", .int64)], compressor: .none)
        var output: [UInt8] = []
        writer.set(0, "first")
        writer.set(0, "second")
        writer.endRow(&output)
        writer.set(0, Array("xthird".utf8).dropFirst())
        writer.set(1, Int64(7))
        writer.endRow(&output)
        writer.finish(metadata: [], &output)
        #expect(try ParquetReader(output).values(0) == [.text("first"), .text("third")])
        #expect(try ParquetReader(output).values(1) == [nil, .integer(7)])
    }

    @Test func `Strange texts are what they were`() throws {
        let texts = ["", "\u{0}", "a\u{0}b", "\u{1F97E}", "\u{10FFFF}", "ü", String(repeating: "x", count: 5000)]
        _ = try file([ParquetColumn("text", .string)], (0..<50).map { [.text(texts[$0 * 5 % 7])] })
    }

    @Test func `Values that repeat are indices, and those that do not are written as they are`() throws {
        let columns = [ParquetColumn("few", .string), ParquetColumn("all", .string), ParquetColumn("number", .int64)]
        let reader = try file(
            columns, (0..<45_000).map { [.text("\($0 % 100)"), .text("\($0)"), .integer(Int64($0))] })
        #expect(try reader.encodings(0, 0) == [8, 8, 8])
        #expect(try reader.encodings(0, 1) == [0, 0, 0])
        #expect(try reader.encodings(0, 2) == [0, 0, 0])
        #expect(reader.description(0, 0)[11] != nil && reader.description(0, 1)[11] == nil)
    }

    @Test func `A dictionary that is full is left for the later pages`() throws {
        // The first page has 5,000 values four times, then all are new: 10,000 more fill the dictionary.
        let rows = (0..<50_000).map { [Cell.text("client \($0 < 20_000 ? $0 % 5000 : $0)")] as [Cell?] }
        let reader = try file([ParquetColumn("id", .string)], rows)
        #expect(try reader.encodings(0, 0) == [8, 8, 0])
        // The next group begins with a dictionary again.
        let again = try file([ParquetColumn("id", .string)], rows + rows, rowsPerGroup: 50_000)
        #expect(try again.encodings(1, 0) == [8, 8, 0])
    }

    @Test func `Pages end by their bytes`() throws {
        let rows = (0..<30).map { [Cell.text(String(repeating: "\($0)", count: 100_000))] as [Cell?] }
        let reader = try file([ParquetColumn("extra", .string, hasStatistics: false)], rows)
        #expect(try reader.encodings(0, 0).count == 5)
        #expect(reader.description(0, 0)[12] == .structure([3: .integer(0)]))
    }

    @Test func `A group ends by its bytes`() throws {
        let text = Array(repeating: UInt8(ascii: "x"), count: 1 << 20)[...]
        var writer = ParquetWriter([ParquetColumn("extra", .string, hasStatistics: false)], compressor: .none)
        var output: [UInt8] = []
        for row in 1...70 {
            writer.set(0, text)
            writer.endRow(&output)
            #expect(output.isEmpty == (row < 64))
        }
        writer.finish(metadata: [], &output)
        #expect(try ParquetReader(output).groups.map { $0[3]?.integer } == [64, 6])
    }

    @Test func `The offsets count from the file's first byte, whatever the output contains already`() throws {
        func write(_ drains: Bool) -> [UInt8] {
            var writer = ParquetWriter([ParquetColumn("number", .int64)], compressor: .none, rowsPerGroup: 3)
            var (file, output): ([UInt8], [UInt8]) = ([], drains ? [] : [1, 2, 3])
            for number in 0..<10 {
                writer.set(0, Int64(number))
                writer.endRow(&output)
                guard drains else { continue }
                file += output
                output = []
            }
            writer.finish(metadata: [], &output)
            return drains ? file + output : Array(output.dropFirst(3))
        }
        #expect(write(true) == write(false))
        #expect(try ParquetReader(write(true)).values(0) == (0..<10).map { .integer($0) })
    }

    @Test func `The same rows give the same bytes`() throws {
        let columns = Self.types.map { ParquetColumn("\($0)", $0) }
        let rows = (0..<500).map { row in columns.map { row % 11 == 0 ? nil : cell($0.type, row % 90) } }
        #expect(try file(columns, rows, rowsPerGroup: 200).file == file(columns, rows, rowsPerGroup: 200).file)
    }

    @Test func `A page is what the compressor makes of it`() throws {
        var writer = ParquetWriter(
            [ParquetColumn("flag", .boolean, isRequired: true)],
            compressor: ParquetCompressor(.zstd) { [0xAA, 0xBB] + $0.reversed() })
        var output: [UInt8] = []
        for flag in [true, false, true] {
            writer.set(0, flag)
            writer.endRow(&output)
        }
        writer.finish(metadata: [], &output)
        let description = try ParquetReader(output).description(0, 0)
        #expect(description[4]?.integer == 6)
        var page = ThriftReader(output, at: 4)
        let head = try page.structure()
        #expect(head[2]?.integer == 1 && head[3]?.integer == 3)
        #expect(Array(output[page.at..<page.at + 3]) == [0xAA, 0xBB, 0b101])
        #expect(description[7]?.integer == page.at + 3 - 4 && description[6]?.integer == page.at + 1 - 4)
    }

    @Test func `A required column without a value is a fault of the caller`() async {
        await #expect(processExitsWith: .failure) {
            var writer = ParquetWriter([ParquetColumn("a", .string, isRequired: true)], compressor: .none)
            var output: [UInt8] = []
            writer.endRow(&output)
            writer.finish(metadata: [], &output)
        }
    }
}
