internal import BellwetherBase
internal import HTTPWire

/// One of the daemon's own pages: markup with escaped texts, and a policy that allows only its own script.
struct PageHTML {
    var title: String
    var language = "en"
    var direction = "ltr"
    /// The body as markup.
    var body: String
    var status = 200
    /// The origins of images and videos.
    var mediaOrigins: [BrowserOrigin] = []
    /// The page that follows at once.
    var refresh: String?
    /// The address of the style sheet, which the daemon serves.
    var styleSheet: String?
    /// The `Cache-Control` of the page: who may cache it, and for how long.
    var caching = "no-cache"

    /// The policy of a page whose script makes all its content.
    var policy: String {
        let media = (["'self'", "data:"] + mediaOrigins.map(\.text)).joined(separator: " ")
        let style = styleSheet == nil ? [] : ["style-src 'self'"]
        return [
            ["default-src 'none'", "script-src 'self'"], style,
            [
                "connect-src 'self'", "img-src \(media)", "media-src \(media)", "base-uri 'none'", "form-action 'none'",
                "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
            ],
        ].joined().joined(separator: "; ")
    }

    var response: Response {
        var response = Self.response(text, policy: policy, status: status)
        response.add("Cache-Control", caching)
        return response
    }

    /// A response without `Cache-Control`.
    static func response(_ markup: String, policy: String, status: Int = 200) -> Response {
        var response = Response(status, body: .bytes(Array(markup.utf8)))
        response.add("Content-Type", "text/html; charset=utf-8")
        protect(&response, policy: policy)
        return response
    }

    /// Adds the policy, and the headers that keep other sites and search engines away from a page.
    static func protect(_ response: inout Response, policy: String) {
        response.add("Content-Security-Policy", policy)
        response.add("Referrer-Policy", "no-referrer")
        response.add("X-Content-Type-Options", "nosniff")
        response.add("X-Robots-Tag", "noindex")
        response.add("Cross-Origin-Opener-Policy", "same-origin")
        response.add("Cross-Origin-Resource-Policy", "same-origin")
    }

    private var text: String {
        let next = refresh.map { "<meta http-equiv=\"refresh\" content=\"0; url=\(Self.escaped($0))\">\n" } ?? ""
        let sheet = styleSheet.map { "<link rel=\"stylesheet\" href=\"\($0)\">\n" } ?? ""
        return """
            <!doctype html>
            <html lang="\(Self.escaped(language))" dir="\(direction)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="robots" content="noindex">
            <link rel="icon" href="data:,">
            \(next)\(sheet)<title>\(Self.escaped(title))</title>
            </head>
            <body>
            \(body)
            </body>
            </html>

            """
    }

    /// Escapes a text for markup, and for values of attributes in double quotes.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    /// `name="value"` for each attribute, escaped.
    static func attributes(_ values: KeyValuePairs<String, String?>) -> String {
        values.compactMap { name, value in value.map { " \(name)=\"\(escaped($0))\"" } }.joined()
    }
}
