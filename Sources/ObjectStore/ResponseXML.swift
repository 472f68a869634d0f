/// The elements with text of a document that a store answers with. Errors and lists are XML without attributes that
/// matter, so that this reads elements and entities, and nothing else.
struct ResponseXML {
    private(set) var elements: [(name: String, text: String)] = []

    /// Reads the elements with these names that have no child. Nil for a document that ends too early, or has a tag or
    /// an entity that is wrong.
    init?(_ bytes: [UInt8], only names: Set<String>) {
        var rest = bytes[...]
        var depth = 0
        /// The innermost element, while it has no child, and where its text begins.
        var leaf: (name: String, start: Int)?
        while let begin = rest.firstIndex(of: UInt8(ascii: "<")) {
            guard let end = rest[begin...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
            let tag = rest[(begin + 1)..<end]
            rest = rest[(end + 1)...]
            switch tag.first {
            case UInt8(ascii: "?"), UInt8(ascii: "!"): continue
            case UInt8(ascii: "/"):
                depth -= 1
                guard depth >= 0 else { return nil }
                if let found = leaf, names.contains(found.name) {
                    guard let text = Self.text(bytes[found.start..<begin]) else { return nil }
                    elements.append((found.name, text))
                }
                leaf = nil
            case nil: return nil
            default:
                let name = Self.name(tag)
                guard tag.last != UInt8(ascii: "/") else {
                    leaf = nil
                    if names.contains(name) { elements.append((name, "")) }
                    continue
                }
                depth += 1
                leaf = (name, rest.startIndex)
            }
        }
        guard depth == 0 else { return nil }
    }

    func first(_ name: String) -> String? { elements.first { $0.name == name }?.text }

    /// The name of a tag without its namespace.
    private static func name(_ tag: ArraySlice<UInt8>) -> String {
        let name = tag.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
        return String(decoding: name.split(separator: UInt8(ascii: ":")).last ?? name, as: UTF8.self)
    }

    /// The text of an element: entities replaced.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        var text: [UInt8] = []
        var rest = bytes
        while let begin = rest.firstIndex(of: UInt8(ascii: "&")) {
            text += rest[..<begin]
            guard let end = rest[begin...].firstIndex(of: UInt8(ascii: ";")), end - begin <= 10,
                let scalar = entity(String(decoding: rest[(begin + 1)..<end], as: UTF8.self))
            else { return nil }
            text += String(Character(scalar)).utf8
            rest = rest[(end + 1)...]
        }
        return String(decoding: text + rest, as: UTF8.self)
    }

    private static func entity(_ name: String) -> Unicode.Scalar? {
        switch name {
        case "lt": "<"
        case "gt": ">"
        case "amp": "&"
        case "quot": "\""
        case "apos": "'"
        case _ where name.hasPrefix("#x"): UInt32(name.dropFirst(2), radix: 16).flatMap { Unicode.Scalar($0) }
        case _ where name.hasPrefix("#"): UInt32(name.dropFirst()).flatMap { Unicode.Scalar($0) }
        default: nil
        }
    }
}
