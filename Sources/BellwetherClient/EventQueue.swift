internal import BellwetherJSON

/// The queue on disk: a file of lines to which entries are appended, and a file with the id of the last entry that was
/// delivered. All processes that share the folder append to the queue and send from it. Ids make a repetition harmless.
struct EventQueue {
    static let file = "queue.ndjson"
    static let cursorFile = "cursor"

    /// The size that the file does not exceed, except by answers.
    let maximumBytes: Int
    /// Entries that could not be written, such as on a full disk. They are written or sent as soon as possible.
    private(set) var unwritten: [QueueEntry] = []
    private var unwrittenBytes = 0
    /// Delivered entries that the files still contain, because the disk is full.
    private var delivered: Set<String> = []
    /// The number of events that were dropped because the queue was full.
    private(set) var dropped = 0

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// Appends an entry. It never fails: an entry that cannot be written stays in memory.
    mutating func append(_ entry: QueueEntry, in storage: inout some Storage) {
        unwritten.append(entry)
        unwrittenBytes += entry.line.count
        write(to: &storage)
        while unwrittenBytes > maximumBytes, let oldest = unwritten.firstIndex(where: { $0.kind == .behavior }) {
            unwrittenBytes -= unwritten.remove(at: oldest).line.count
            dropped += 1
        }
    }

    /// Writes the entries that are in memory only.
    mutating func write(to storage: inout some Storage) {
        guard !unwritten.isEmpty else { return }
        var entries = unwritten
        let isDurable = entries.contains { $0.kind == .answer }
        do {
            dropped += try storage.exclusively { storage in
                let known = try storage.size(of: Self.file)
                let dropped =
                    known + Self.lines(entries).count > maximumBytes
                    ? try makeRoom(for: &entries, in: &storage) : 0
                try storage.append(Self.lines(entries), to: Self.file, isDurable: isDurable)
                return dropped
            }
            (unwritten, unwrittenBytes) = ([], 0)
        } catch {}
    }

    /// Removes delivered entries and then the oldest behaviour events, until a quarter of the queue is free. Other
    /// events go after them, and answers stay. Returns the number of dropped events.
    private func makeRoom(for entries: inout [QueueEntry], in storage: inout some Storage) throws -> Int {
        var waiting = try Self.undelivered(in: storage).filter { !delivered.contains($0.id) }
        var free = maximumBytes * 3 / 4 - Self.lines(waiting).count - Self.lines(entries).count
        var dropped = 0
        func drop(_ kind: QueueEntry.Kind, from entries: inout [QueueEntry]) {
            entries.removeAll { entry in
                guard free < 0, entry.kind == kind else { return false }
                free += entry.line.count
                dropped += 1
                return true
            }
        }
        for kind in [QueueEntry.Kind.behavior, .event] {
            drop(kind, from: &waiting)
            drop(kind, from: &entries)
        }
        try storage.replace(Self.file, with: Self.lines(waiting), isDurable: true)
        return dropped
    }

    /// The entries to send, in order.
    func waiting(in storage: inout some Storage) -> [QueueEntry] {
        let written = (try? storage.exclusively { try Self.undelivered(in: $0) }) ?? []
        let entries = (written + unwritten).filter { !delivered.contains($0.id) }
        var last: [String: String] = [:]
        for entry in entries { if let group = entry.group { last[group] = entry.id } }
        return entries.filter { entry in entry.group.map { last[$0] == entry.id } ?? true }
    }

    /// Notes that the daemon has decided about the entries up to this one.
    mutating func delivered(_ entries: [QueueEntry], in storage: inout some Storage) {
        let ids = Set(entries.map(\.id))
        unwritten.removeAll { ids.contains($0.id) }
        unwrittenBytes = unwritten.reduce(0) { $0 + $1.line.count }
        delivered.formUnion(ids)
        guard let rest = try? storage.exclusively({ try advance(past: ids, in: &$0) }) else { return }
        delivered.formIntersection(rest)
    }

    /// Moves the cursor, and shortens the file if more than half of it is delivered. Returns the ids that the file has
    /// after the cursor.
    private func advance(past ids: Set<String>, in storage: inout some Storage) throws -> Set<String> {
        let waiting = try Self.undelivered(in: storage)
        guard let last = waiting.lastIndex(where: { ids.contains($0.id) }) else { return Set(waiting.map(\.id)) }
        // Entries before the last one are delivered too, or a later one has taken their place.
        let rest = Array(waiting[(last + 1)...])
        let lines = Self.lines(rest)
        if rest.isEmpty {
            try storage.remove(Self.file)
            try storage.remove(Self.cursorFile)
        } else if lines.count < (try storage.size(of: Self.file)) / 2 {
            try storage.replace(Self.file, with: lines, isDurable: true)
        } else {
            try storage.replace(Self.cursorFile, with: Array(waiting[last].id.utf8), isDurable: false)
        }
        return Set(rest.map(\.id))
    }

    /// The entries of the file after the cursor. If the file does not have the cursor's entry, none is delivered.
    private static func undelivered(in storage: some Storage) throws -> [QueueEntry] {
        guard let content = try storage.read(file) else { return [] }
        let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
        // A last line without a newline is the part that a crash has left.
        let whole = content.last == UInt8(ascii: "\n") ? lines[...] : lines.dropLast()
        let entries = whole.compactMap { QueueEntry(line: $0) }
        let cursor = try storage.read(cursorFile).map { String(decoding: $0, as: UTF8.self) }
        guard let index = entries.lastIndex(where: { $0.id == cursor }) else { return entries }
        return Array(entries[(index + 1)...])
    }

    private static func lines(_ entries: some Sequence<QueueEntry>) -> [UInt8] { entries.flatMap(\.line) }
}
