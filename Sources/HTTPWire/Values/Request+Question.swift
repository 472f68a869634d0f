extension Request {
    /// What was asked, byte for byte, as 128 bits of a hash that the process seeds: the method, the target as sent, and
    /// the values of some fields. Of two requests that differ in one of them, nobody can make the same digest.
    public func question(with fields: KnownHeader...) -> (UInt64, UInt64) {
        var hasher = Hasher()
        hasher.combine(method)
        combine(target, to: &hasher)
        for field in fields {
            let place = head[field]
            hasher.combine(place.length)
            if place.isPresent { combine(head.isRepeated(field) ? head.fields : place, to: &hasher) }
        }
        var second = hasher
        second.combine(true)
        return (UInt64(bitPattern: Int64(hasher.finalize())), UInt64(bitPattern: Int64(second.finalize())))
    }

    /// The path and what follows it.
    private var target: ByteRange {
        guard head.query.isPresent else { return head.path }
        let start = Int(head.path.offset)
        return ByteRange(start..<Int(head.query.offset + head.query.length))
    }

    private func combine(_ place: ByteRange, to hasher: inout Hasher) {
        storage.withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[place.range(from: base)])) }
    }
}
