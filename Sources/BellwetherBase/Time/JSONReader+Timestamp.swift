public import BellwetherJSON

extension JSONReader {
    /// Reads an RFC 3339 time. A text that is none is a finding `time`.
    public func time() -> Timestamp? {
        guard let text = string() else { return nil }
        let time = Timestamp(rfc3339: text)
        if time == nil { finding("time", "\"\(text)\" is no RFC 3339 time such as 2026-11-21T07:00:00Z") }
        return time
    }
}
