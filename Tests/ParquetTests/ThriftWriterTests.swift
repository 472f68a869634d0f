import Testing

@testable import Parquet

/// Structs in the compact protocol.
@Suite struct ThriftWriterTests {
    @Test func `Each kind of field has its bytes`() {
        #expect(ThriftWriter.structure { _ in } == [0])
        #expect(ThriftWriter.structure { $0.field(1, true) } == [0x11, 0])
        #expect(ThriftWriter.structure { $0.field(3, false) } == [0x32, 0])
        #expect(ThriftWriter.structure { $0.field(1, Int16(-1)) } == [0x14, 1, 0])
        #expect(ThriftWriter.structure { $0.field(2, Int32(64)) } == [0x25, 0x80, 1, 0])
        #expect(ThriftWriter.structure { $0.field(15, Int64(-64)) } == [0xF6, 0x7F, 0])
        #expect(ThriftWriter.structure { $0.field(1, "ab".utf8) } == [0x18, 2, 0x61, 0x62, 0])
        #expect(ThriftWriter.structure { $0.emptyField(1) } == [0x1C, 0, 0])
    }

    @Test func `The numbers of fields begin again in a struct, and go on after it`() {
        let bytes = ThriftWriter.structure { writer in
            writer.field(2) { $0.field(1, true) }
            writer.field(3, false)
        }
        #expect(bytes == [0x2C, 0x11, 0, 0x12, 0])
    }

    @Test(arguments: [0, 1, 14, 15, 16, 200])
    func `Lists of any length are read`(_ count: Int) throws {
        let bytes = ThriftWriter.structure { writer in
            writer.list(1, (0..<count).map { Int32($0) - 5 })
            writer.list(2, (0..<count).map { "text \($0)" })
            writer.list(3, Array(0..<count)) { $0.field(4, Int64($1)) }
        }
        var reader = ThriftReader(bytes)
        let value = try reader.structure()
        #expect(reader.at == bytes.count)
        #expect(value[1]?.elements == (0..<count).map { .integer(Int64($0) - 5) })
        #expect(value[2]?.elements == (0..<count).map { .binary(Array("text \($0)".utf8)) })
        #expect(value[3]?.elements == (0..<count).map { .structure([4: .integer(Int64($0))]) })
    }

    @Test(arguments: [0, 1, -1, 63, 64, -65, .max, .min] as [Int64])
    func `Numbers of any size are read`(_ number: Int64) throws {
        var reader = ThriftReader(ThriftWriter.structure { $0.field(1, number) })
        #expect(try reader.structure()[1] == .integer(number))
    }
}
