internal import BellwetherBase
import BellwetherCore

/// A client as the table finds it: its hash, and what its record begins with.
struct ClientKey: Sendable {
    let client: ClientReference
    let hash: Int

    init(_ client: ClientReference) {
        self.client = client
        // Seeded by the process: ids chosen to collide do not.
        hash = client.hashValue
    }

    /// Without numbers for names.
    var bytes: [UInt8] {
        var writer = PackedWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Each part has its length or its number before it, so that no key is the beginning of another.
    func write(to writer: inout PackedWriter) {
        writer.name(client.app)
        writer.string(client.id)
    }

    /// Whether the record is this client's.
    func begins(_ record: [UInt8], names: [String]?) -> Bool {
        var reader = PackedReader(record[...], names: names)
        return reader.skipName(client.app) && reader.skipString(client.id)
    }

    /// Reads what follows the key in a record.
    static func reader(behindKeyOf record: [UInt8], names: [String]?) -> PackedReader {
        var reader = PackedReader(record[...], names: names)
        reader.skipName()
        reader.skipString()
        return reader
    }

    /// The upper bits choose the shard, the lower ones the place in it.
    func shard(of count: Int) -> Int { Int(truncatingIfNeeded: UInt(bitPattern: hash) >> 48) % count }
}
