/// A value in Thrift's compact protocol, for the tests: written independently of the writer.
indirect enum ThriftValue: Equatable {
    case boolean(Bool)
    case integer(Int64)
    case binary([UInt8])
    case list([ThriftValue])
    case structure([Int: ThriftValue])

    subscript(_ field: Int) -> ThriftValue? {
        guard case .structure(let fields) = self else { return nil }
        return fields[field]
    }

    var integer: Int? {
        guard case .integer(let value) = self else { return nil }
        return Int(value)
    }
    var bytes: [UInt8]? {
        guard case .binary(let bytes) = self else { return nil }
        return bytes
    }
    var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
    var elements: [ThriftValue] {
        guard case .list(let elements) = self else { return [] }
        return elements
    }
}

struct ThriftReader {
    struct Fault: Error { let at: Int }

    private let bytes: [UInt8]
    private(set) var at: Int

    init(_ bytes: [UInt8], at: Int = 0) {
        self.bytes = bytes
        self.at = at
    }

    mutating func structure() throws -> ThriftValue {
        var fields: [Int: ThriftValue] = [:]
        var number = 0
        while true {
            let head = try byte()
            if head == 0 { return .structure(fields) }
            number = head >> 4 == 0 ? Int(try zigzag()) : number + Int(head >> 4)
            guard fields[number] == nil else { throw Fault(at: at) }
            fields[number] = try value(head & 15)
        }
    }

    private mutating func value(_ type: UInt8) throws -> ThriftValue {
        switch type {
        case 1: return .boolean(true)
        case 2: return .boolean(false)
        case 4, 5, 6: return .integer(try zigzag())
        case 8:
            let count = Int(try varint())
            guard count <= bytes.count - at else { throw Fault(at: at) }
            defer { at += count }
            return .binary(Array(bytes[at..<at + count]))
        case 9:
            let head = try byte()
            let count = head >> 4 == 15 ? Int(try varint()) : Int(head >> 4)
            return .list(try (0..<count).map { _ in try value(head & 15) })
        case 12: return try structure()
        default: throw Fault(at: at)
        }
    }

    private mutating func byte() throws -> UInt8 {
        guard at < bytes.count else { throw Fault(at: at) }
        defer { at += 1 }
        return bytes[at]
    }

    mutating func varint() throws -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let next = try byte()
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return value }
            shift += 7
        }
    }

    private mutating func zigzag() throws -> Int64 {
        let value = try varint()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }
}
