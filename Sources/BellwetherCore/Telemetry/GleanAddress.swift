internal import BellwetherBase
public import BellwetherJSON

/// The address to which a ping was submitted: `/submit/{application-id}/{ping}/{version}/{document-id}`
/// (docs/reference/events.md#ping-addresses).
public struct GleanAddress: Sendable, Hashable {
    /// The application id as it was sent: a spelling of one of the app's ids.
    public let applicationID: Identifier
    public let ping: String
    public let version: String
    /// The document id in lower case. It identifies a repeated ping.
    public let documentID: Identifier

    public init(applicationID: Identifier, ping: String, version: String, documentID: Identifier) {
        self.applicationID = applicationID
        self.ping = ping
        self.version = version
        self.documentID = Identifier(documentID.text.lowercased())
    }

    /// Reports the faults that the edge server treats as a bad request: an invalid ping name, a version that is no
    /// number, or a document id that is no UUID.
    public func check(_ findings: Findings) {
        if !Self.isPingName(ping) {
            findings.fault(
                "ping_name", at: JSONPointer(tokens: ["ping"]),
                "a ping's name is 1 to 100 ASCII letters, digits, \"-\", \"_\" and \".\"")
        }
        if !(1...10).contains(version.utf8.count) || !version.utf8.allSatisfy(\.isASCIIDigit) {
            findings.fault("version", at: JSONPointer(tokens: ["version"]), "a ping's version is a number such as 1")
        }
        if !UUIDText.isUUID(documentID.text) {
            findings.fault("document_id", at: JSONPointer(tokens: ["document_id"]), "a document id is a UUID")
        }
    }

    private static func isPingName(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || [0x2D, 0x2E, 0x5F].contains($0) }
    }
}
