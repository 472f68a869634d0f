/// Writes structs in Thrift's compact protocol, the form of the format's page headers and footer.
///
/// The head of a field has the difference of its number from the field before it in the same struct: fields are
/// written in the order of their numbers.
struct ThriftWriter {
    /// The protocol's numbers of the types that the format uses here.
    private enum TypeCode: UInt8 {
        case isTrue = 1
        case isFalse = 2
        case i16 = 4
        case i32 = 5
        case i64 = 6
        case binary = 8
        case list = 9
        case structure = 12
    }

    private(set) var bytes: [UInt8] = []
    private var lastField = 0

    /// The bytes of one struct.
    static func structure(_ fields: (inout ThriftWriter) -> Void) -> [UInt8] {
        var writer = ThriftWriter()
        writer.structure(fields)
        return writer.bytes
    }

    /// The type is the value of a boolean field.
    mutating func field(_ number: Int, _ value: Bool) { head(number, value ? .isTrue : .isFalse) }

    mutating func field(_ number: Int, _ value: Int16) {
        head(number, .i16)
        append(zigzag: Int64(value))
    }

    mutating func field(_ number: Int, _ value: Int32) {
        head(number, .i32)
        append(zigzag: Int64(value))
    }

    mutating func field(_ number: Int, _ value: Int64) {
        head(number, .i64)
        append(zigzag: value)
    }

    mutating func field(_ number: Int, _ value: some Collection<UInt8>) {
        head(number, .binary)
        append(binary: value)
    }

    mutating func field(_ number: Int, _ fields: (inout ThriftWriter) -> Void) {
        head(number, .structure)
        structure(fields)
    }

    /// A field whose struct has no fields: a case of a union without a value.
    mutating func emptyField(_ number: Int) { field(number) { _ in } }

    mutating func list(_ number: Int, _ values: [Int32]) {
        listHead(number, .i32, count: values.count)
        for value in values { append(zigzag: Int64(value)) }
    }

    mutating func list(_ number: Int, _ texts: [String]) {
        listHead(number, .binary, count: texts.count)
        for text in texts { append(binary: text.utf8) }
    }

    /// A list of structs, one for each element.
    mutating func list<Element>(
        _ number: Int, _ elements: [Element], _ fields: (inout ThriftWriter, Element) -> Void
    ) {
        listHead(number, .structure, count: elements.count)
        for element in elements { structure { fields(&$0, element) } }
    }

    private mutating func structure(_ fields: (inout ThriftWriter) -> Void) {
        let outer = lastField
        lastField = 0
        fields(&self)
        bytes.append(0)
        lastField = outer
    }

    private mutating func head(_ number: Int, _ type: TypeCode) {
        // The format's fields are never more than 15 apart, so the long head of a field does not occur.
        precondition((1...15).contains(number - lastField), "fields out of order")
        bytes.append(UInt8(number - lastField) << 4 | type.rawValue)
        lastField = number
    }

    private mutating func listHead(_ number: Int, _ type: TypeCode, count: Int) {
        head(number, .list)
        bytes.append(UInt8(min(count, 15)) << 4 | type.rawValue)
        if count >= 15 { bytes.append(varint: UInt64(count)) }
    }

    private mutating func append(zigzag value: Int64) {
        bytes.append(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    private mutating func append(binary value: some Collection<UInt8>) {
        bytes.append(varint: UInt64(value.count))
        bytes.append(contentsOf: value)
    }
}
