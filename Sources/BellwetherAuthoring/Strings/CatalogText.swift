/// A fault of a string catalog, with its position in the file. Both numbers begin at 1; columns count Unicode scalars.
public struct CatalogFault: Sendable, Hashable, Error {
    public let line: Int
    public let column: Int
    public let code: String
    public let message: String
}

/// The characters of a string catalog in UTF-8 or UTF-16 (docs/reference/http-api.md#the-command-strings).
struct CatalogText {
    let scalars: [Unicode.Scalar]

    init(_ bytes: [UInt8]) throws(CatalogFault) {
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xEF?, 0xBB?) where bytes.dropFirst(2).first == 0xBF:
            scalars = try Self.scalars(bytes.dropFirst(3), UTF8.self, "UTF-8")
        case (0xFF?, 0xFE?): scalars = try Self.wide(bytes.dropFirst(2), isBigEndian: false)
        case (0xFE?, 0xFF?): scalars = try Self.wide(bytes.dropFirst(2), isBigEndian: true)
        // There is no byte order mark, but a catalog begins with an ASCII character.
        case (0?, _?): scalars = try Self.wide(bytes[...], isBigEndian: true)
        case (_?, 0?): scalars = try Self.wide(bytes[...], isBigEndian: false)
        default: scalars = try Self.scalars(bytes[...], UTF8.self, "UTF-8")
        }
    }

    private static func wide(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) throws(CatalogFault) -> [Unicode.Scalar] {
        var units: [UInt16] = []
        var rest = bytes
        while let first = rest.popFirst() {
            guard let second = rest.popFirst() else {
                throw CatalogFault(line: 1, column: 1, code: "encoding", message: "half a UTF-16 unit ends the file")
            }
            units.append(isBigEndian ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first))
        }
        return try scalars(units, UTF16.self, "UTF-16")
    }

    private static func scalars<Encoding: Unicode.Encoding, Units: Sequence>(
        _ units: Units, _: Encoding.Type, _ name: String
    ) throws(CatalogFault) -> [Unicode.Scalar] where Units.Element == Encoding.CodeUnit {
        var scalars: [Unicode.Scalar] = []
        var (line, column) = (1, 1)
        var parser = Encoding.ForwardParser()
        var iterator = units.makeIterator()
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded):
                let scalar = Encoding.decode(encoded)
                scalars.append(scalar)
                (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
            case .emptyInput: return scalars
            case .error:
                throw CatalogFault(line: line, column: column, code: "encoding", message: "bytes that are not \(name)")
            }
        }
    }
}
