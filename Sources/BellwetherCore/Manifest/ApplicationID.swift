public import BellwetherJSON

/// An application's id as pings write it in their path: `org.mozilla.ios.Firefox` is `org-mozilla-ios-firefox`.
///
/// Two ids are equal if Glean's SDK converts both to the same text. It ignores the case of letters, and writes one dash
/// for all characters between letters and digits, so `.` and `-` are equal
/// (docs/reference/http-api.md#gleans-edge-server).
struct ApplicationID: Sendable, Hashable {
    private let bytes: [UInt8]

    init(_ text: String) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if byte.isASCIILetter || byte.isASCIIDigit {
                bytes.append(byte | 0x20)
            } else if bytes.last != UInt8(ascii: "-") {
                bytes.append(UInt8(ascii: "-"))
            }
        }
        self.bytes = bytes
    }
}

extension AppIdentity {
    /// Whether the manifest names this application id, in any spelling.
    public func hasApplication(_ id: Identifier) -> Bool {
        let wanted = ApplicationID(id.text)
        return applicationIDs.contains { ApplicationID($0.text) == wanted }
    }
}
