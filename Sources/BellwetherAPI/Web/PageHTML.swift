internal import BellwetherBase
internal import HTTPWire

/// A page of the daemon's own: markup with texts that were escaped, and a policy that lets nothing in but its script.
struct PageHTML {
    var title: String
    var language = "en"
    var direction = "ltr"
    /// Markup.
    var body: String
    var status = 200
    /// Origins that images and videos may come from.
    var mediaOrigins: [BrowserOrigin] = []
    /// The address of its style sheet, of the daemon's own.
    var styleSheet: String?
    /// The `Cache-Control` of the page: whether it is the same for everyone with its address, and for how long.
    var caching = "no-cache"

    /// The policy of a page whose only content is what its script makes.
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

    /// Says nothing of how long it may be kept.
    static func response(_ markup: String, policy: String, status: Int = 200) -> Response {
        var response = Response(status, body: .bytes(Array(markup.utf8)))
        response.add("Content-Type", "text/html; charset=utf-8")
        response.add("Content-Security-Policy", policy)
        response.add("Referrer-Policy", "no-referrer")
        response.add("X-Content-Type-Options", "nosniff")
        response.add("X-Robots-Tag", "noindex")
        response.add("Cross-Origin-Opener-Policy", "same-origin")
        response.add("Cross-Origin-Resource-Policy", "same-origin")
        return response
    }

    private var text: String {
        let sheet = styleSheet.map { "<link rel=\"stylesheet\" href=\"\($0)\">\n" } ?? ""
        return """
            <!doctype html>
            <html lang="\(Self.escaped(language))" dir="\(direction)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="robots" content="noindex">
            <link rel="icon" href="data:,">
            \(sheet)<title>\(Self.escaped(title))</title>
            </head>
            <body>
            \(body)
            </body>
            </html>

            """
    }

    /// For markup and for values of attributes in double quotes.
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

    /// `name="value"` for each, escaped.
    static func attributes(_ values: KeyValuePairs<String, String?>) -> String {
        values.compactMap { name, value in value.map { " \(name)=\"\(escaped($0))\"" } }.joined()
    }
}
