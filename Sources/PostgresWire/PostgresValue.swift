/// A parameter of a statement, sent in binary.
public enum PostgresValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
    case integers([Int64?])
    case texts([String?])
    case byteArrays([[UInt8]?])

    public static func text(_ text: String?) -> PostgresValue { text.map { .text($0) } ?? .null }

    public static func integer(_ number: Int64?) -> PostgresValue { number.map { .integer($0) } ?? .null }
}

/// The types of parameters (src/include/catalog/pg_type.dat of PostgreSQL).
enum PostgresType {
    static let bytes: UInt32 = 17
    static let integer: UInt32 = 20
    static let text: UInt32 = 25
    static let byteArrays: UInt32 = 1001
    static let texts: UInt32 = 1009
    static let integers: UInt32 = 1016
}

extension PostgresValue {
    /// The OID of the type; 0 means that PostgreSQL infers the type of the parameter.
    var type: UInt32 {
        switch self {
        case .null: 0
        case .integer: PostgresType.integer
        case .text: PostgresType.text
        case .bytes: PostgresType.bytes
        case .integers: PostgresType.integers
        case .texts: PostgresType.texts
        case .byteArrays: PostgresType.byteArrays
        }
    }

    /// The value in binary; nil means NULL.
    var encoded: [UInt8]? {
        switch self {
        case .null: return nil
        case .integer(let number): return Array(bigEndian: number)
        case .text(let text): return PostgresText.encode(text)
        case .bytes(let bytes): return bytes
        case .integers(let numbers):
            return Self.array(numbers, of: PostgresType.integer) { number, output in
                output.append(bigEndian: number)
                return 8
            }
        case .texts(let texts):
            return Self.array(texts, of: PostgresType.text) { PostgresText.encode($0, to: &$1) }
        case .byteArrays(let arrays):
            return Self.array(arrays, of: PostgresType.bytes) { bytes, output in
                output += bytes
                return bytes.count
            }
        }
    }

    /// An array of one dimension, in binary (array_recv of PostgreSQL).
    ///
    /// - Parameter write: writes an element, and returns its size in bytes.
    private static func array<Element>(
        _ elements: [Element?], of type: UInt32, _ write: (Element, inout [UInt8]) -> Int
    ) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(20 + 24 * elements.count)
        output.append(bigEndian: Int32(elements.isEmpty ? 0 : 1))
        output.append(bigEndian: Int32(elements.contains { $0 == nil } ? 1 : 0))
        output.append(bigEndian: type)
        guard !elements.isEmpty else { return output }
        output.append(bigEndian: Int32(clamping: elements.count))
        output.append(bigEndian: Int32(1))
        for element in elements {
            guard let element else {
                output.append(bigEndian: Int32(-1))
                continue
            }
            let place = output.count
            output.append(bigEndian: Int32(0))
            let count = write(element, &output)
            withUnsafeBytes(of: Int32(clamping: count).bigEndian) { bytes in
                for (offset, byte) in bytes.enumerated() { output[place + offset] = byte }
            }
        }
        return output
    }
}

extension [UInt8] {
    init<Number: FixedWidthInteger>(bigEndian number: Number) {
        self.init()
        append(bigEndian: number)
    }

    mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}
