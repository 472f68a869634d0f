internal import BellwetherBase

/// What the audit keeps of an erased client's id: HMAC-SHA256 under the installation's secret.
///
/// Who has an id can find out whether and when it was erased (`bellwether audit digest`), and which erasures a restored
/// backup undid; who has the audit alone can neither read an id nor try one.
public enum ClientDigest {
    /// Keeps this use of the secret apart from others.
    private static let purpose = Array("bellwether erased client\0".utf8)

    /// The app's length comes first, so that no two clients make one text.
    public static func make(_ client: ClientReference, secret: [UInt8]) -> [UInt8] {
        let app = Array(client.app.utf8)
        let length = (0..<4).map { UInt8(truncatingIfNeeded: app.count >> (24 - 8 * $0)) }
        let text = purpose + length + app + client.id.utf8
        return Array(HMAC.authenticationCode(for: text, key: secret))
    }
}
