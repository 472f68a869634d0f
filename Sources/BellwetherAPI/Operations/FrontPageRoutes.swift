internal import BellwetherService
internal import HTTPWire

/// The page at the daemon's address: its name and version, and links to the API, its documents and the metrics.
enum FrontPageRoutes {
    static let all = [
        Endpoint(.get, "/", .open, handle: frontPage),
        Endpoint(.get, "/docs/{page}", .open, handle: document),
    ]

    @Sendable private static func frontPage(_ call: Call) throws(APIError) -> Handling {
        let page = FrontPage(version: call.services.version)
        let isHTML = call.request.acceptsHTML
        var response = Response(200, body: .bytes(Array((isHTML ? page.html : page.text).utf8)))
        response.add("Content-Type", isHTML ? "text/html; charset=utf-8" : "text/plain; charset=utf-8")
        response.add("Content-Security-Policy", "default-src 'none'")
        response.add("Cache-Control", "no-cache")
        response.add("Vary", "Accept")
        return .now(response)
    }

    @Sendable private static func document(_ call: Call) throws(APIError) -> Handling {
        let page = call.parameter("page")
        guard let document = EmbeddedFile.at("docs/\(page)") else {
            throw .notFound("There is no document \"\(page)\".")
        }
        let tag = "\"\(document.digest)\""
        let known = call.request.header(.ifNoneMatch)
        let isKnown = known.map { EntityTag.matches(ifNoneMatch: $0, etag: tag) } ?? false
        var response = isKnown ? Response(304) : Response(200, body: .bytes(document.bytes))
        // Browsers show plain text, but offer to save YAML and Markdown.
        if !isKnown { response.add("Content-Type", "text/plain; charset=utf-8") }
        response.add("ETag", tag)
        response.add("Cache-Control", "no-cache")
        return .now(response)
    }
}

/// The page at `/`. Its links are relative, so they also work behind a proxy that serves the daemon under a path.
struct FrontPage {
    let version: String

    private static let purpose = [
        "Bellwether decides which in-app message or microsurvey each client of an app may see now,",
        "and remembers what each has seen and answered.",
    ]
    private static let links = [
        ("console", "for owners: what is live, and its changes"),
        ("docs/openapi.yaml", "the API, as OpenAPI"),
        ("docs/owners-guide.md", "for those who write messages and experiments"),
        ("docs/operators-guide.md", "for those who run the daemon"),
        ("docs/findings.md", "faults and warnings, by code"),
        ("metrics", "counters for Prometheus"),
        ("docs/metrics.md", "what the counters mean"),
        ("__heartbeat__", "the state of each part"),
    ]

    var text: String {
        let width = Self.links.map(\.0.count).max() ?? 0
        let lines = Self.links.map { path, meaning in
            "/\(path)\(String(repeating: " ", count: width - path.count))  \(meaning)"
        }
        return (["Bellwether \(version)", ""] + Self.purpose + [""] + lines).map { $0 + "\n" }.joined()
    }

    var html: String {
        let items = Self.links.map { "<li><a href=\"\($0)\">\($0)</a>: \($1)</li>" }
        let lines =
            [
                "<!doctype html>", "<html lang=\"en\">", "<meta charset=\"utf-8\">", "<title>Bellwether</title>",
                "<h1>Bellwether \(version)</h1>", "<p>",
            ] + Self.purpose + ["</p>", "<ul>"] + items + ["</ul>", "</html>"]
        return lines.map { $0 + "\n" }.joined()
    }
}

extension Request {
    /// Whether `Accept` names HTML, as in a browser's request. A range such as `*/*`, which curl sends, does not name
    /// it.
    var acceptsHTML: Bool {
        let ranges = String(decoding: header(.accept) ?? [], as: UTF8.self).lowercased().split(separator: ",")
        return ranges.contains { range in
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            return parts.first == "text/html" && weight > 0
        }
    }
}
