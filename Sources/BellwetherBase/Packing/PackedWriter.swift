public import BellwetherJSON

/// Writes small values in few bytes: integers in groups of seven bits (LEB128), text with its length before it.
///
/// The form is Bellwether's own. Without names it is private to the store, where equal values have equal bytes. With
/// names it is private to the table in memory. `PackedReader` reads the bytes of `PackedWriter` back exactly.
public struct PackedWriter: Sendable {
    public private(set) var bytes: [UInt8] = []
    /// The table of names; nil if names are written out, as for a store.
    private var names: PackedNames?

    public init() {}

    /// See `PackedNames.bytes`.
    init(names: consuming PackedNames) { self.names = names }

    /// Returns the names, including the added ones.
    mutating func endNames() -> PackedNames { names.take() ?? PackedNames() }

    /// Writes one to ten bytes with seven bits each, the least significant first. The top bit is set in every byte
    /// except the last.
    public mutating func unsigned(_ value: UInt64) {
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes a number below 65,536 in two bytes.
    package mutating func fixed16(_ value: UInt64) {
        bytes.append(UInt8(truncatingIfNeeded: value))
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }

    /// Writes eight bytes, the least significant first.
    package mutating func fixed64(_ value: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 16) { fixed16(value >> shift & 0xFFFF) }
    }

    /// Writes a signed integer. Small magnitudes of either sign take few bytes: 0, -1, 1, -2, … become 0, 1, 2, 3, …
    public mutating func signed(_ value: Int64) {
        unsigned(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    public mutating func bool(_ value: Bool) { bytes.append(value ? 1 : 0) }

    public mutating func string(_ text: String) {
        unsigned(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes a name that many values contain. With a table of names, it is the number with a lowest bit of 1, or the
    /// length with a lowest bit of 0 and the text.
    public mutating func name(_ name: Identifier, by author: PackedNames.Author = .owner) {
        if let number = names?.number(of: name, by: author) { return unsigned(UInt64(number) << 1 | 1) }
        writtenName(name.text.utf8)
    }

    /// Writes a name that has no number.
    mutating func writtenName(_ text: some Collection<UInt8>) {
        unsigned(names == nil ? UInt64(text.count) : UInt64(text.count) << 1)
        bytes.append(contentsOf: text)
    }

    /// Writes a tag, the length of the bytes that `write` adds, and these bytes.
    package mutating func section(_ tag: UInt64, _ write: (inout PackedWriter) -> Void) {
        let start = bytes.count
        write(&self)
        var head = PackedWriter()
        head.unsigned(tag)
        head.unsigned(UInt64(bytes.count - start))
        bytes.insert(contentsOf: head.bytes, at: start)
    }

    /// Whether the bytes are for a table in memory. Names then have numbers, and values that neighbours share are
    /// written once.
    package var isForTable: Bool { names != nil }

    /// Appends bytes in this writer's form.
    package mutating func append(_ other: ArraySlice<UInt8>) { bytes.append(contentsOf: other) }

    /// Whether bytes that were written with these names, or with none, already have this writer's form.
    package func hasForm(of known: [Identifier]?) -> Bool {
        guard let names, let known else { return names == nil && known == nil }
        return names.all.isIdentical(to: known)
    }

    public mutating func bytes(_ value: some Collection<UInt8>) {
        unsigned(UInt64(value.count))
        bytes.append(contentsOf: value)
    }
}
