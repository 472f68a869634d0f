import Parquet

/// A value that a test writes or reads.
enum Cell: Hashable {
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case text(String)
}

/// Reads files without compression, as far as the writer uses the format. It checks what readers rely on.
struct ParquetReader {
    struct Fault: Error { let reason: String }

    let file: [UInt8]
    let footer: ThriftValue

    init(_ file: [UInt8]) throws {
        self.file = file
        guard file.count >= 12, Array(file.prefix(4)) == Array("PAR1".utf8), file.suffix(4) == file.prefix(4) else {
            throw Fault(reason: "no magic")
        }
        let count = Self.number(Array(file[(file.count - 8)..<(file.count - 4)]))
        var reader = ThriftReader(file, at: file.count - 8 - count)
        footer = try reader.structure()
        guard reader.at == file.count - 8 else { throw Fault(reason: "length of the footer") }
    }

    var groups: [ThriftValue] { footer[4]?.elements ?? [] }
    var rows: Int? { footer[3]?.integer }

    func description(_ group: Int, _ column: Int) -> ThriftValue {
        groups[group][1]?.elements[column][3] ?? .structure([:])
    }

    /// The values of a column over all groups; nil is null.
    func values(_ column: Int) throws -> [Cell?] { try groups.indices.flatMap { try values($0, column) } }

    /// The encodings of the data pages of a chunk.
    func encodings(_ group: Int, _ column: Int) throws -> [Int] {
        try pages(group, column).compactMap { $0.head[5]?[2]?.integer }
    }

    private struct RawPage {
        let head: ThriftValue
        let body: [UInt8]
    }

    private func pages(_ group: Int, _ column: Int) throws -> [RawPage] {
        let description = description(group, column)
        var at = description[11]?.integer ?? description[9]?.integer ?? 0
        let end = at + (description[7]?.integer ?? 0)
        var pages: [RawPage] = []
        while at < end {
            var reader = ThriftReader(file, at: at)
            let head = try reader.structure()
            at = reader.at + (head[3]?.integer ?? 0)
            guard head[2] == head[3] else { throw Fault(reason: "a page is compressed") }
            pages.append(RawPage(head: head, body: Array(file[reader.at..<at])))
        }
        guard at == end else { throw Fault(reason: "length of a chunk") }
        return pages
    }

    private func values(_ group: Int, _ column: Int) throws -> [Cell?] {
        let schema = footer[2]?.elements[column + 1]
        let isRequired = schema?[3]?.integer == 0
        let type = schema?[1]?.integer ?? -1
        var dictionary: [Cell] = []
        var values: [Cell?] = []
        for page in try pages(group, column) {
            if let head = page.head[7] {
                dictionary = try plain(page.body[...], type, count: head[1]?.integer ?? 0)
                continue
            }
            let rows = page.head[5]?[1]?.integer ?? 0
            var body = page.body[...]
            var levels = [UInt32](repeating: 1, count: rows)
            if !isRequired {
                let length = Self.number(Array(body.prefix(4)))
                levels = try HybridDecoder.decode(Array(body.dropFirst(4).prefix(length)), bitWidth: 1, count: rows)
                body = body.dropFirst(4 + length)
            }
            let count = levels.count { $0 == 1 }
            let present: [Cell]
            if page.head[5]?[2]?.integer == 8 {
                guard !dictionary.isEmpty else { throw Fault(reason: "no dictionary") }
                let width = Int(body.first ?? 0)
                present = try HybridDecoder.decode(Array(body.dropFirst()), bitWidth: width, count: count)
                    .map { dictionary[Int($0)] }
            } else {
                present = try plain(body, type, count: count)
            }
            var next = present.makeIterator()
            values += levels.map { $0 == 1 ? next.next() : nil }
        }
        guard values.count == groups[group][3]?.integer else { throw Fault(reason: "rows of a chunk") }
        return values
    }

    private func plain(_ bytes: ArraySlice<UInt8>, _ type: Int, count: Int) throws -> [Cell] {
        var rest = bytes
        func take(_ count: Int) -> [UInt8] {
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        let cells = (0..<count).map { index -> Cell in
            switch type {
            case 0: return .boolean(bytes[bytes.startIndex + index / 8] >> UInt8(index % 8) & 1 == 1)
            case 1: return .integer(Int64(Int32(truncatingIfNeeded: Self.number(take(4)))))
            case 2: return .integer(Int64(Self.number(take(8))))
            case 5: return .double(Double(bitPattern: UInt64(truncatingIfNeeded: Self.number(take(8)))))
            default: return .text(String(decoding: take(Self.number(take(4))), as: UTF8.self))
            }
        }
        guard type == 0 ? bytes.count == (count + 7) / 8 : rest.isEmpty else { throw Fault(reason: "length of a page") }
        return cells
    }

    static func number(_ bytes: [UInt8]) -> Int {
        Int(truncatingIfNeeded: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}

/// Decodes the format's hybrid of runs and bit-packed values.
enum HybridDecoder {
    static func decode(_ bytes: [UInt8], bitWidth: Int, count: Int) throws -> [UInt32] {
        var values: [UInt32] = []
        var at = 0
        while at < bytes.count {
            guard values.count < count else { throw ParquetReader.Fault(reason: "more runs than values") }
            var reader = ThriftReader(bytes, at: at)
            let head = Int(try reader.varint())
            at = reader.at
            if head & 1 == 0 {
                let size = (bitWidth + 7) / 8
                let value = UInt32(ParquetReader.number(Array(bytes[at..<at + size])))
                values += [UInt32](repeating: value, count: head >> 1)
                at += size
            } else {
                let bits = (head >> 1) * 8 * bitWidth
                for start in stride(from: 0, to: bits, by: bitWidth) {
                    values.append(
                        (0..<bitWidth).reduce(UInt32(0)) { value, bit in
                            let place = at * 8 + start + bit
                            return value | UInt32(bytes[place / 8] >> UInt8(place % 8) & 1) << UInt32(bit)
                        })
                }
                at += bits / 8
            }
        }
        guard count <= values.count, values.count < count + 8 else {
            throw ParquetReader.Fault(reason: "number of values")
        }
        return Array(values.prefix(count))
    }
}
