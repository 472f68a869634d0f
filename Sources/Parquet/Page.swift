/// A page: a head in Thrift, and a body that is compressed as a whole.
struct Page {
    enum Encoding { case plain, dictionary }
    enum Kind {
        case dictionary(count: Int)
        /// A data page of version 1, whose rows include nulls.
        case data(rows: Int, Encoding)
    }

    /// The format's numbers of encodings.
    enum EncodingCode { static let plain: Int32 = 0, runLength: Int32 = 3, dictionary: Int32 = 8 }

    let kind: Kind
    let body: [UInt8]

    /// Appends the page, and returns the bytes that it would have without compression.
    func append(to output: inout [UInt8], _ compressor: ParquetCompressor) -> Int {
        let compressed = compressor.compress(body)
        let head = ThriftWriter.structure { writer in
            switch kind {
            case .dictionary(let count):
                writer.field(1, Int32(2))
                sizes(&writer, compressed.count)
                writer.field(7) {
                    $0.field(1, Int32(count))
                    $0.field(2, EncodingCode.plain)
                }
            case .data(let rows, let encoding):
                writer.field(1, Int32(0))
                sizes(&writer, compressed.count)
                writer.field(5) {
                    $0.field(1, Int32(rows))
                    $0.field(2, encoding == .plain ? EncodingCode.plain : EncodingCode.dictionary)
                    $0.field(3, EncodingCode.runLength)
                    $0.field(4, EncodingCode.runLength)
                }
            }
        }
        output += head
        output += compressed
        return head.count + body.count
    }

    private func sizes(_ writer: inout ThriftWriter, _ compressed: Int) {
        writer.field(2, Int32(body.count))
        writer.field(3, Int32(compressed))
    }
}
