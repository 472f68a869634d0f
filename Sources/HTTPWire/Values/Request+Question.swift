extension Request {
    /// The request as a digest of 128 bits, by a hash that is seeded for the process: the method, the target as sent,
    /// and the values of some fields. A client cannot find two different requests with the same digest.
    public func question(with fields: KnownHeader...) -> (UInt64, UInt64) {
        var hasher = Hasher()
        hasher.combine(method)
        combine(target, to: &hasher)
        for field in fields { combine(field, to: &hasher) }
        return Self.finished(hasher)
    }

    /// The same without one parameter of the query (the client), whose value is returned as sent. The values of the
    /// fields and the order of the parameters are part of the digest.
    public func question(apartFrom parameter: StaticString, with fields: KnownHeader...) -> QuestionApart {
        var hasher = Hasher()
        combine(head.path, to: &hasher)
        var apart: (value: ArraySlice<UInt8>?, isRepeated: Bool) = (nil, false)
        forEachParameter { name, whole in
            if isName(name, parameter) {
                apart = (storage[min(name.upperBound + 1, whole.upperBound)..<whole.upperBound], apart.value != nil)
            } else {
                combine(whole, to: &hasher)
                hasher.combine(UInt8(ascii: "&"))
            }
        }
        for field in fields { combine(field, to: &hasher) }
        return QuestionApart(value: apart.value, isRepeated: apart.isRepeated, digest: Self.finished(hasher))
    }

    /// As sent, or percent-encoded though it need not be.
    private func isName(_ place: Range<Int>, _ parameter: StaticString) -> Bool {
        let length = parameter.utf8CodeUnitCount
        if place.count == length { return storage.span.extracting(place).equals(parameter) }
        guard place.count > length, storage[place].contains(UInt8(ascii: "%")) else { return false }
        return PercentDecoding.text(storage[place], plus: .space).map { Array($0.utf8).span.equals(parameter) } ?? false
    }

    /// The ranges of each parameter's name, and of the whole parameter.
    private func forEachParameter(_ body: (_ name: Range<Int>, _ whole: Range<Int>) -> Void) {
        guard head.query.isPresent else { return }
        let query = head.query.range(from: base)
        let bytes = storage.span
        var start = query.lowerBound
        while start < query.upperBound {
            var (name, end) = (-1, start)
            while end < query.upperBound, bytes[end] != 0x26 {
                if name < 0, bytes[end] == 0x3d { name = end }
                end += 1
            }
            body(start..<(name < 0 ? end : name), start..<end)
            start = end + 1
        }
    }

    /// The path and what follows it.
    private var target: ByteRange {
        guard head.query.isPresent else { return head.path }
        let start = Int(head.path.offset)
        return ByteRange(start..<Int(head.query.offset + head.query.length))
    }

    private func combine(_ field: KnownHeader, to hasher: inout Hasher) {
        let place = head[field]
        hasher.combine(place.length)
        if place.isPresent { combine(head.isRepeated(field) ? head.fields : place, to: &hasher) }
    }

    private func combine(_ place: ByteRange, to hasher: inout Hasher) { combine(place.range(from: base), to: &hasher) }

    private func combine(_ range: Range<Int>, to hasher: inout Hasher) {
        storage.withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    private static func finished(_ hasher: Hasher) -> (UInt64, UInt64) {
        var (first, second) = (hasher, hasher)
        second.combine(true)
        first.combine(false)
        return (UInt64(bitPattern: Int64(first.finalize())), UInt64(bitPattern: Int64(second.finalize())))
    }
}

/// A question, and one of its parameters apart.
public struct QuestionApart {
    /// As it was sent; nil: it is not there.
    public let value: ArraySlice<UInt8>?
    public let isRepeated: Bool
    public let digest: (UInt64, UInt64)
}
