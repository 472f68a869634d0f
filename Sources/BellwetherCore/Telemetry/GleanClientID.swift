internal import BellwetherBase

/// A client's id as Glean's `client_id`, which must be a UUID.
enum GleanClientID {
    /// The client's id where it is a UUID in either case, as it is. Else a UUID of version 8 (RFC 9562 5.8) over app
    /// and client, so that clients of one app and of several apps have different ids: the first 16 bytes of the SHA-256
    /// of both, each led by its length in bytes and a colon.
    static func uuid(app: String, clientID: String) -> String {
        guard !UUIDText.isUUID(clientID) else { return clientID }
        var digest = SHA256()
        for part in [app, clientID] {
            digest.update(Array("\(part.utf8.count):".utf8))
            digest.update(Array(part.utf8))
        }
        var bytes = Array(digest.finalize().prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUIDText.format(bytes)
    }
}
