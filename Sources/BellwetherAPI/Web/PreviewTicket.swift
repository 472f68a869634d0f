internal import BellwetherBase
import BellwetherJSON

/// The right to preview a revision for some time, without a token (docs/web.md#preview). It is derived, not stored
/// (docs/decisions/archive/0069-a-previews-address-holds-what-it-shows.md). So previews take no memory, and any process
/// of the installation accepts them.
struct PreviewTicket {
    let app: Identifier
    let slug: Identifier
    let revision: Int
    let expires: Timestamp

    static let lifetimeSeconds: Int64 = 900
    private static let purpose = "preview"

    init(app: Identifier, slug: Identifier, revision: Int, expires: Timestamp) {
        (self.app, self.slug, self.revision, self.expires) = (app, slug, revision, expires)
    }

    /// Nil if this installation did not make the ticket.
    init?(_ text: String, secret: [UInt8]) {
        guard let claims = SignedClaims.read(text, Self.purpose, secret: secret), claims.count == 4,
            let app = SignedClaims.name(claims[0]), let slug = SignedClaims.name(claims[1]),
            let revision = Int(claims[2]), let expires = Timestamp(claim: claims[3])
        else { return nil }
        self.init(app: app, slug: slug, revision: revision, expires: expires)
    }

    func text(secret: [UInt8]) -> String {
        let claims = [SignedClaims.claim(app), SignedClaims.claim(slug), String(revision), expires.claim]
        return SignedClaims.text(Self.purpose, claims, secret: secret)
    }
}
