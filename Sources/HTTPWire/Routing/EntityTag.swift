/// Entity tags and the two preconditions that use them (RFC 9110 8.8.3, 13.1).
public enum EntityTag {
    /// Whether If-None-Match matches the tag: `*`, or a tag in the list that is equal without regard to weakness.
    ///
    /// A value that is not a list of entity tags matches nothing, so the response is sent in full.
    public static func matches(ifNoneMatch value: ArraySlice<UInt8>, etag: ArraySlice<UInt8>) -> Bool {
        matches(value) { opaque($0).elementsEqual(opaque(etag)) }
    }

    public static func matches(ifNoneMatch value: ArraySlice<UInt8>, etag: String) -> Bool {
        matches(ifNoneMatch: value, etag: Array(etag.utf8)[...])
    }

    /// Whether If-Match allows the change: `*`, or a tag in the list that is equal, and neither is weak.
    public static func matches(ifMatch value: ArraySlice<UInt8>, etag: ArraySlice<UInt8>) -> Bool {
        matches(value) { $0.first == 0x22 && $0.elementsEqual(etag) }
    }

    public static func matches(ifMatch value: ArraySlice<UInt8>, etag: String) -> Bool {
        matches(ifMatch: value, etag: Array(etag.utf8)[...])
    }

    private static func matches(_ value: ArraySlice<UInt8>, _ isMatch: (ArraySlice<UInt8>) -> Bool) -> Bool {
        var rest = value.trimmed
        if rest.count == 1 && rest.first == 0x2a { return true }
        var found = false
        while true {
            // Empty elements of a list are skipped (RFC 9110 5.6.1).
            rest = rest.drop { $0.isBlank || $0 == 0x2c }
            if rest.isEmpty { return found }
            guard let tag = takeTag(&rest) else { return false }
            found = found || isMatch(tag)
            rest = rest.trimmed
            guard rest.isEmpty || rest.first == 0x2c else { return false }
        }
    }

    /// Reads `"..."` or `W/"..."` from the front; nil if the text has another form.
    private static func takeTag(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let quote = opaque(rest)
        guard quote.first == 0x22, let end = quote.dropFirst().firstIndex(of: 0x22) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return rest[...end]
    }

    /// The tag without its weakness mark.
    private static func opaque(_ tag: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        tag.starts(with: [0x57, 0x2f]) ? tag.dropFirst(2) : tag
    }
}
