internal import BellwetherBase
internal import BellwetherJSON

/// A client's id as Glean's `client_id`, which must be a UUID.
enum GleanClientID {
    /// The client's id, unchanged, if it is a UUID in either case. Otherwise a UUID of version 8 (RFC 9562 5.8) over
    /// app and client, so that clients of all apps have different ids. It is the first 16 bytes of the SHA-256 of both
    /// texts, each with its length in bytes and a colon as a prefix.
    static func uuid(app: Identifier, clientID: Identifier) -> String {
        guard !UUIDText.isUUID(clientID.text) else { return clientID.text }
        var digest = SHA256()
        for part in [app, clientID] {
            digest.update(Array("\(part.text.utf8.count):".utf8))
            digest.update(Array(part.text.utf8))
        }
        var bytes = Array(digest.finalize().prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUIDText.format(bytes)
    }
}
