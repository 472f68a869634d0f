internal import BellwetherJSON

/// Writes small values in few bytes: integers in groups of seven bits (LEB128), text with its length before it.
///
/// The form is ours: without names it is private to the store, where equal values have equal bytes; with names, to the
/// table in memory. `PackedReader` reads the bytes of `PackedWriter` back exactly.
public struct PackedWriter: Sendable {
    public private(set) var bytes: [UInt8] = []
    /// Nil where names are written out, as for a store.
    private var names: PackedNames?

    public init() {}

    /// See `PackedNames.bytes`.
    init(names: consuming PackedNames) { self.names = names }

    /// Gives the names back, with those that were added.
    mutating func endNames() -> PackedNames { names.take() ?? PackedNames() }

    /// One to ten bytes: seven bits each, the least significant first, the top bit set on all but the last.
    public mutating func unsigned(_ value: UInt64) {
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Small for small magnitudes of either sign: 0, -1, 1, -2, … become 0, 1, 2, 3, …
    public mutating func signed(_ value: Int64) {
        unsigned(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    public mutating func bool(_ value: Bool) { bytes.append(value ? 1 : 0) }

    public mutating func string(_ text: String) {
        unsigned(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// A text that many values have. Where names have numbers: the number with a lowest bit of 1, or the length with
    /// one of 0 and the text.
    public mutating func name(_ text: String, by author: PackedNames.Author = .owner) {
        if let number = names?.number(of: text, by: author) { return unsigned(UInt64(number) << 1 | 1) }
        writtenName(text.utf8)
    }

    /// A name that has no number.
    mutating func writtenName(_ text: some Collection<UInt8>) {
        unsigned(names == nil ? UInt64(text.count) : UInt64(text.count) << 1)
        bytes.append(contentsOf: text)
    }

    /// A tag, the length of what `write` adds, and that.
    package mutating func section(_ tag: UInt64, _ write: (inout PackedWriter) -> Void) {
        let start = bytes.count
        write(&self)
        var head = PackedWriter()
        head.unsigned(tag)
        head.unsigned(UInt64(bytes.count - start))
        bytes.insert(contentsOf: head.bytes, at: start)
    }

    /// Whether this is for a table in memory: names have numbers, and what neighbours share is written once.
    package var isForTable: Bool { names != nil }

    /// Appends bytes in this writer's form.
    package mutating func append(_ other: ArraySlice<UInt8>) { bytes.append(contentsOf: other) }

    /// Whether what was written with these names, or with none, is in this writer's form as it is.
    package func hasForm(of texts: [String]?) -> Bool {
        guard let names, let texts else { return names == nil && texts == nil }
        return names.texts.isIdentical(to: texts)
    }

    public mutating func bytes(_ value: some Collection<UInt8>) {
        unsigned(UInt64(value.count))
        bytes.append(contentsOf: value)
    }
}
