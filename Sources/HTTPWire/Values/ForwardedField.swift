/// The field `Forwarded` (RFC 7239 4): a list of elements, each with `name=value` pairs.
///
/// Proxies append to the field. A quotation that a client left open therefore extends into the element of the next
/// proxy. Such a field is not parsed at all.
enum ForwardedField {
    /// The `for` of each element, without its quotes; nil for an element without one. The list is empty if the field is
    /// malformed.
    static func nodes(_ field: ArraySlice<UInt8>) -> [[UInt8]?] {
        var reader = Reader(rest: field)
        var nodes: [[UInt8]?] = []
        repeat {
            guard let element = reader.element() else { return [] }
            nodes.append(element.node)
        } while reader.take(UInt8(ascii: ","))
        return reader.rest.isEmpty ? nodes : []
    }

    private struct Element { var node: [UInt8]? }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        /// Reads pairs separated by `;`. Returns nil if the element is malformed or has two `for`.
        mutating func element() -> Element? {
            var element = Element()
            repeat {
                skipBlanks()
                guard let name = token(), take(UInt8(ascii: "=")), let value = value() else { return nil }
                skipBlanks()
                guard name.map(\.lowercased) == Array("for".utf8) else { continue }
                guard element.node == nil else { return nil }
                element.node = value
            } while take(UInt8(ascii: ";"))
            return element
        }

        mutating func take(_ byte: UInt8) -> Bool {
            guard rest.first == byte else { return false }
            rest = rest.dropFirst()
            return true
        }

        private mutating func skipBlanks() { rest = rest.drop(while: \.isBlank) }

        /// Reads one or more bytes of RFC 9110's token. Addresses without quotes are accepted too (`for=192.0.2.1:80`).
        private mutating func token() -> [UInt8]? {
            let token = rest.prefix { $0 > 0x20 && $0 < 0x7f && !Self.delimiters.contains($0) }
            rest = rest[token.endIndex...]
            return token.isEmpty ? nil : Array(token)
        }

        private mutating func value() -> [UInt8]? {
            guard take(UInt8(ascii: "\"")) else { return token() }
            var value: [UInt8] = []
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "\"") { return value }
                guard byte == UInt8(ascii: "\\") else {
                    value.append(byte)
                    continue
                }
                guard let escaped = rest.popFirst() else { return nil }
                value.append(escaped)
            }
            return nil
        }

        private static let delimiters = Array(",;=\"\\".utf8)
    }
}
