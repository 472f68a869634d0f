/// Reads CSV (RFC 4180) in UTF-8. Lines end with CR LF or LF, and a field in quotation marks may contain both.
struct CSVReader {
    struct Record {
        /// The number of the record's first line, from 1.
        let line: Int
        let fields: [String]
    }

    struct Failure: Error {
        let line: Int
        let message: String
    }

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    init(_ bytes: [UInt8]) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        self.bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    }

    /// The next record that is not an empty line; nil at the end.
    mutating func next() throws(Failure) -> Record? {
        while position < bytes.count {
            let first = line
            let fields = try record()
            if fields != [""] { return Record(line: first, fields: fields) }
        }
        return nil
    }

    private mutating func record() throws(Failure) -> [String] {
        var fields: [String] = []
        while true {
            fields.append(try field())
            guard position < bytes.count else { return fields }
            let separator = bytes[position]
            position += 1
            if separator == UInt8(ascii: ",") { continue }
            if separator == UInt8(ascii: "\r"), position < bytes.count, bytes[position] == UInt8(ascii: "\n") {
                position += 1
            }
            line += 1
            return fields
        }
    }

    private mutating func field() throws(Failure) -> String {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
            let start = position
            while position < bytes.count, !Self.endsField(bytes[position]) { position += 1 }
            return try text(Array(bytes[start..<position]))
        }
        let first = line
        var content: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\n") { line += 1 }
            if byte == UInt8(ascii: "\"") {
                guard position < bytes.count, bytes[position] == byte else { return try end(of: content) }
                position += 1
            }
            content.append(byte)
        }
        throw Failure(line: first, message: "a field in quotation marks does not end")
    }

    private func end(of content: [UInt8]) throws(Failure) -> String {
        guard position == bytes.count || Self.endsField(bytes[position]) else {
            throw Failure(line: line, message: "something follows a field in quotation marks")
        }
        return try text(content)
    }

    private func text(_ content: [UInt8]) throws(Failure) -> String {
        guard let text = String(validating: content, as: UTF8.self) else {
            throw Failure(line: line, message: "the text is not UTF-8")
        }
        return text
    }

    private static func endsField(_ byte: UInt8) -> Bool { ",\r\n".utf8.contains(byte) }
}
