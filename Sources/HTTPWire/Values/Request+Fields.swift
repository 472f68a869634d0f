extension Request {
    /// The values of all field lines whose name is wanted, joined by ", " when there are several (RFC 9110 5.3).
    ///
    /// The lines were checked when the head was parsed: each has a colon and ends with CRLF.
    func joined(where isWanted: (Range<Int>) -> Bool) -> ArraySlice<UInt8>? {
        var found: ArraySlice<UInt8>?
        var lines = storage[head.fields.range(from: base)]
        while let end = lines.firstIndex(of: 0x0a) {
            let line = lines[lines.startIndex..<(end - 1)]
            lines = lines[(end + 1)...]
            guard let colon = line.firstIndex(of: 0x3a), isWanted(line.startIndex..<colon) else { continue }
            let value = line[(colon + 1)...].trimmed
            if let first = found {
                found = first + [0x2c, 0x20] + value
            } else {
                found = value
            }
        }
        return found
    }
}
