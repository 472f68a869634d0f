internal import BellwetherJSON

/// Names that stand in many packed values, each written out once: a packed value then has a name's number.
///
/// Names are only ever added, so that what was written with some of them is read with all that came later. They are
/// bounded: beyond the bounds a name stands in the packed value itself.
public struct PackedNames: Sendable {
    /// How many names there are at most.
    package static let bound = 4096
    /// How many there may be for clients to add another: they can invent names, and must not use up the owners'.
    package static let clientBound = 1024
    /// In bytes, as UTF-8.
    package static let lengthBound = 64

    /// By number.
    public private(set) var texts: [String] = []
    private var numbers: [ByteKey: UInt32] = [:]

    public init() {}

    /// The author of a name.
    public enum Author {
        /// Apps, experiments' slugs, branches, keys of messages.
        case owner
        /// Names of events, and what a client says of experiments.
        case client
    }

    /// The name's number, which it gets now if it has none; nil for one that has to be written out.
    package mutating func number(of name: String, by author: Author) -> Int? {
        guard name.utf8.count <= Self.lengthBound else { return nil }
        if let number = numbers[ByteKey(text: name)] { return Int(number) }
        guard texts.count < (author == .owner ? Self.bound : Self.clientBound) else { return nil }
        // A copy of its own: every look-up counts references to it.
        let text = String(decoding: name.utf8, as: UTF8.self)
        numbers[ByteKey(text: text)] = UInt32(texts.count)
        texts.append(text)
        return texts.count - 1
    }

    /// Returns the bytes of a writer that knows these names, and adds others to them.
    public mutating func bytes(_ write: (inout PackedWriter) -> Void) -> [UInt8] {
        // Lent and not copied, or the first new name would copy all.
        var writer = PackedWriter(names: exchange(&self, with: PackedNames()))
        write(&writer)
        self = writer.endNames()
        return writer.bytes
    }
}
