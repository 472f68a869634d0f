/// A client as the table finds it: its hash, and its bytes with a terminator after each part.
struct ClientKey: Sendable {
    /// A byte that UTF-8 never has, so that no key is the beginning of another.
    private static let terminator: UInt8 = 0xFF

    let client: ClientReference
    let hash: Int

    init(_ client: ClientReference) {
        self.client = client
        // Seeded by the process: ids chosen to collide do not.
        hash = client.hashValue
    }

    /// How many bytes the key takes at the front of a record.
    var length: Int { client.app.utf8.count + client.id.utf8.count + 2 }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    func write(to output: inout [UInt8]) {
        output.append(contentsOf: client.app.utf8)
        output.append(Self.terminator)
        output.append(contentsOf: client.id.utf8)
        output.append(Self.terminator)
    }

    /// Whether the record is this client's.
    func begins(_ record: [UInt8]) -> Bool {
        let app = client.app.utf8.count
        let length = self.length
        guard record.count >= length, record[app] == Self.terminator, record[length - 1] == Self.terminator else {
            return false
        }
        let record = record.span
        return record.extracting((app + 1)..<(length - 1)).hasSameBytes(as: client.id.utf8.span)
            && record.extracting(..<app).hasSameBytes(as: client.app.utf8.span)
    }

    /// The upper bits choose the shard, the lower ones the place in it.
    func shard(of count: Int) -> Int { Int(truncatingIfNeeded: UInt(bitPattern: hash) >> 48) % count }
}

extension Span<UInt8> {
    /// For spans of the same count. `elementsEqual` over the two kinds of collection takes several times as long.
    fileprivate func hasSameBytes(as other: Span<UInt8>) -> Bool {
        for position in indices where self[position] != other[position] { return false }
        return true
    }
}
