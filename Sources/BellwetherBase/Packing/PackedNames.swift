public import BellwetherJSON

/// Names that occur in many packed values. Each name is stored once, and a packed value contains the name's number.
///
/// Names are only added. Data that was written with fewer names can therefore be read with more. The number of names is
/// limited: a name beyond the limit is written into the packed value itself.
public struct PackedNames: Sendable {
    /// The maximum number of names.
    package static let bound = 4096
    /// The maximum number of names at which a client can still add one. Clients can invent names, and must not use up
    /// the owners' share.
    package static let clientBound = 1024
    /// The maximum length of a name in bytes of UTF-8.
    package static let lengthBound = 64

    /// The names by number.
    public private(set) var all: [Identifier] = []
    private var numbers: [Identifier: UInt32] = [:]

    public init() {}

    /// The author of a name.
    public enum Author {
        /// The names of apps, experiments, branches and messages.
        case owner
        /// The names of events, and the names in a client's participation.
        case client
    }

    /// The name's number, which is assigned now if there is none. It is nil for a name that must be written out.
    package mutating func number(of name: Identifier, by author: Author) -> Int? {
        guard name.text.utf8.count <= Self.lengthBound else { return nil }
        if let number = numbers[name] { return Int(number) }
        guard all.count < (author == .owner ? Self.bound : Self.clientBound) else { return nil }
        // A separate copy, because every lookup counts references to it.
        let copy = Identifier(String(decoding: name.text.utf8, as: UTF8.self))
        numbers[copy] = UInt32(all.count)
        all.append(copy)
        return all.count - 1
    }

    /// Returns the bytes that `write` produces with these names. New names are added to them.
    public mutating func bytes(_ write: (inout PackedWriter) -> Void) -> [UInt8] {
        // The names are moved, not copied. Otherwise the first new name would copy all of them.
        var writer = PackedWriter(names: exchange(&self, with: PackedNames()))
        write(&writer)
        self = writer.endNames()
        return writer.bytes
    }
}
