internal import BellwetherBase
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The token that a hosted page carries: a public one, for one recipe's client routes, for a day. It is derived, not
/// stored: HMAC-SHA256 under the installation's secret over the app, the slug and when it expires.
struct PageToken {
    let app: String
    let slug: String
    let expires: Timestamp

    static let lifetimeSeconds: Int64 = 86_400
    private static let prefix = "page"

    /// `page.APP.SLUG.EXPIRES.CODE`; app and slug in hexadecimal, the time in seconds.
    func text(secret: [UInt8]) -> String {
        let claims = [Self.prefix, Self.hex(app), Self.hex(slug), String(expires.milliseconds / 1000)]
            .joined(separator: ".")
        return claims + "." + Self.code(for: claims, secret)
    }

    /// Nil: it is no such token, or somebody else's.
    init?(_ text: String, secret: [UInt8]) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, parts[0] == Self.prefix, let seconds = Int64(parts[3]), seconds > 0,
            let app = Self.text(hex: parts[1]), let slug = Self.text(hex: parts[2])
        else { return nil }
        let code = Self.code(for: parts[..<4].joined(separator: "."), secret)
        guard Self.isEqual(Array(code.utf8), Array(parts[4].utf8)) else { return nil }
        self.init(app: app, slug: slug, expires: Timestamp(milliseconds: 0).adding(seconds: seconds))
    }

    init(app: String, slug: String, expires: Timestamp) {
        (self.app, self.slug, self.expires) = (app, slug, expires)
    }

    private static func code(for claims: String, _ secret: [UInt8]) -> String {
        Digest.hex(HMAC.authenticationCode(for: Array(claims.utf8), key: secret))
    }

    private static func hex(_ text: String) -> String { Digest.hex(Array(text.utf8)) }

    private static func text(hex: String) -> String? {
        let digits = hex.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// In constant time.
    private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for (a, b) in zip(left, right) { difference |= a ^ b }
        return difference == 0
    }
}

extension PageToken {
    /// The routes that name no slug, and that a page needs.
    private static let furtherRoutes: Set<String> = [
        "/v1/apps/{app}/identify", "/v1/apps/{app}/questionnaires/dismiss",
        "/v1/apps/{app}/runs/{run_id}", "/v1/apps/{app}/runs/{run_id}/advance", "/v1/apps/{app}/runs/{run_id}/chat",
        "/v1/apps/{app}/runs/{run_id}/dismiss", "/v1/apps/{app}/locations",
    ]

    /// Whether the call is one of its recipe's client routes. A run's id is a secret of its own.
    func opens(_ call: Call) -> Bool {
        guard call.endpoint.access == .scope(.client), call.parameter("app").hasSameBytes(as: app) else { return false }
        if let slug = call.parameters["slug"] { return slug.hasSameBytes(as: self.slug) }
        return Self.furtherRoutes.contains(call.endpoint.pattern)
    }

    var principal: Principal { Principal(name: Self.prefix, scope: .client, app: app, isWeb: true, expires: expires) }
}
