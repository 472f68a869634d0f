internal import BellwetherBase
internal import BellwetherJSON

/// An event that has a counter: one that clients send, or a derived one in one definition.
struct CountedEvent: Sendable, Hashable, Comparable {
    let name: Identifier
    /// The number of the definition (`DerivedEvents`); 0 for an event that clients send.
    let definition: UInt32

    init(_ name: Identifier, definition: UInt32 = 0) { (self.name, self.definition) = (name, definition) }

    static func < (left: Self, right: Self) -> Bool {
        left.name == right.name ? left.definition < right.definition : left.name < right.name
    }

    /// The byte between the name and the number in stored names. No client sends a name with it.
    private static let separator: UInt8 = 1
    private static let longestNumber = 10

    /// The name in a stored history.
    var stored: Identifier {
        definition == 0 ? name : Identifier("\(name)\u{1}\(definition)")
    }

    /// Reads a stored name. Most names end with a letter, so few bytes are read.
    init(stored: Identifier) {
        let bytes = stored.text.utf8
        var index = bytes.endIndex
        var number: UInt64 = 0
        var scale: UInt64 = 1
        for _ in 0...Self.longestNumber {
            guard index > bytes.startIndex else { break }
            index = bytes.index(before: index)
            let byte = bytes[index]
            if byte == Self.separator, scale > 1, let definition = UInt32(exactly: number), definition > 0 {
                self.init(Identifier(String(stored.text[..<index])), definition: definition)
                return
            }
            guard byte.isASCIIDigit else { break }
            number += UInt64(byte - UInt8(ascii: "0")) * scale
            scale *= 10
        }
        self.init(stored)
    }
}
