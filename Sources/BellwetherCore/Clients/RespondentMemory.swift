internal import BellwetherBase
public import BellwetherJSON

/// A respondent's choices in one survey that are the default in the next: the system of units
/// (docs/reference/surveys.md#remembered-units). Each entry has a key such as `sn.unit_system`.
public struct RespondentMemory: Sendable, Hashable {
    public struct Entry: Sendable, Hashable {
        public let key: Identifier
        public let value: Identifier
    }

    public static let maximumEntries = 8
    /// The maximum size of an id and of a value, in bytes of UTF-8.
    public static let maximumBytes = 64

    /// The entries, the oldest choice first.
    public private(set) var entries: [Entry] = []

    public init() {}

    public var isEmpty: Bool { entries.isEmpty }

    /// - Parameter id: without the prefix.
    public subscript(id: Identifier) -> Identifier? { entries.first { $0.key == Self.key(id) }?.value }

    private static func key(_ id: Identifier) -> Identifier { "sn.\(id)" }

    /// Stores a value. A value that is empty or too long is ignored. If there are more than `maximumEntries`, the
    /// oldest entry is removed.
    public mutating func remember(_ value: Identifier, under id: Identifier) {
        let lengths = 1...Self.maximumBytes
        guard lengths.contains(id.utf8.count), lengths.contains(value.utf8.count) else { return }
        guard self[id] != value else { return }
        let key = Self.key(id)
        entries.removeAll { $0.key == key }
        entries.append(Entry(key: key, value: value))
        if entries.count > Self.maximumEntries { entries.removeFirst() }
    }

    /// Merges the choices of another respondent. This respondent's own choices win, and further entries are added up to
    /// the maximum.
    public mutating func merge(_ other: RespondentMemory) {
        let new = other.entries.filter { entry in !entries.contains { $0.key == entry.key } }
        entries = new.suffix(Self.maximumEntries - entries.count) + entries
    }

    /// `{"sn.ID": value}`
    public var json: JSONObject { JSONObject(entries.map { (key: $0.key.text, value: .string($0.value)) }) }
}

extension RespondentMemory {
    func encode(into writer: inout PackedWriter) {
        writer.unsigned(UInt64(entries.count))
        for entry in entries {
            writer.name(entry.key)
            writer.name(entry.value)
        }
    }

    init?(from reader: inout PackedReader) {
        guard let count = reader.count(), count <= Self.maximumEntries else { return nil }
        for _ in 0..<count {
            guard let key = reader.name(), let value = reader.name() else { return nil }
            entries.append(Entry(key: key, value: value))
        }
    }
}
