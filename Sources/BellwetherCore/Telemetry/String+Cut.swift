/// Prefixes of texts that fit a limit. They end between Unicode scalars, as in glean-core.
extension String {
    /// The longest prefix with at most `limit` bytes of UTF-8.
    func cut(utf8 limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while utf8[end] & 0xC0 == 0x80 { utf8.formIndex(before: &end) }
        return String(unicodeScalars[..<end])
    }

    /// The longest prefix with at most `limit` characters, as JSON Schema counts them.
    func cut(scalars limit: Int) -> String {
        // A scalar takes at least one byte.
        guard utf8.count > limit else { return self }
        return String(unicodeScalars.prefix(limit))
    }
}
