internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherService
internal import HTTPWire

/// The page of the owners' console. It only has the addresses of its script and its style sheet. The script requests
/// all content from the API (docs/console.md#operators).
enum ConsoleRoutes {
    /// All addresses of the console have the same page, whose script reads the address.
    static let all =
        (0...6).map { count in
            let segments = (0..<count).map { "/{segment_\($0 + 1)}" }.joined()
            return Endpoint(.get, "/console" + segments, .open, handle: shell).admittingOtherSites
        } + [Endpoint(.get, "/console/preview/{app}", .open, handle: frame)]

    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
        "frame-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")

    @Sendable private static func shell(_ call: Call) -> Handling {
        let provider = call.services.identityProvider?.settings.name
        let text = markup(theme: theme(call.request), provider: provider)
        let tag = "\"\(Digest.hex(Digest.sha256(Array(text.utf8)).prefix(12)))\""
        return .now(call.conditional(tag) { PageHTML.response(text, policy: policy) })
    }

    /// The document of the preview in the console. It has no origin, so it can access neither the session nor the
    /// console. Its content comes from the surrounding page. Its only fact about the app is the list of origins for
    /// pictures.
    @Sendable private static func frame(_ call: Call) -> Handling {
        let media = call.worker.snapshot.apps[call.parameter("app")]?.manifest.web.mediaOrigins ?? []
        let images = (["'self'", "data:"] + media.map(\.text)).joined(separator: " ")
        let policy = [
            "default-src 'none'", "sandbox allow-scripts", "script-src 'self'", "img-src \(images)",
            "media-src \(images)", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'self'",
            "require-trusted-types-for 'script'", "trusted-types 'none'",
        ].joined(separator: "; ")
        let text = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <link rel="icon" href="data:,">
            <title>Preview</title>
            <main id="bellwether"></main>
            <script type="module" src="/\(WebAsset.address(of: "frame.js"))"></script>
            </html>

            """
        var response = PageHTML.response(text, policy: policy)
        response.add("Cache-Control", "no-cache")
        return .now(response)
    }

    private static let themes = ["light", "dark"]

    /// The theme that was chosen in this browser, in which the page is first drawn; nil for the system's theme.
    private static func theme(_ request: Request) -> String? {
        let header = String(decoding: request.header(named: "Cookie") ?? [], as: UTF8.self)
        let cookies = header.split(separator: ";").map { cookie in cookie.drop { $0 == " " } }
        return themes.first { cookies.contains(Substring("bellwether-theme=" + $0)) }
    }

    /// - Parameter provider: The name of the identity provider; nil if there is none.
    private static func markup(theme: String?, provider: String?) -> String {
        let signIn = provider == nil ? nil : "/v1/login"
        let attributes = PageHTML.attributes([
            "data-theme": theme, "data-sign-in": signIn, "data-provider": provider,
        ])
        return """
            <!doctype html>
            <html lang="en"\(attributes)>
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="robots" content="noindex">
            <meta name="color-scheme" content="light dark">
            <link rel="icon" href="data:,">
            <link rel="stylesheet" href="/\(WebAsset.address(of: "console.css"))">
            <script type="module" src="/\(WebAsset.address(of: "console.js"))"></script>
            <title>Bellwether</title>
            </head>
            <body>
            <noscript><p>The console needs JavaScript, and Chromium 117, Firefox 125, Safari 17.4 or a later one.</p></noscript>
            </body>
            </html>

            """
    }
}
