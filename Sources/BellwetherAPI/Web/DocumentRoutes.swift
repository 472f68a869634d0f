internal import BellwetherJSON
internal import HTTPWire

/// The documents of the repository, as sources and as the pages that Scripts/docs-pages makes of them
/// (docs/web.md#addresses).
enum DocumentRoutes {
    static let all = [
        Endpoint(.get, "/docs/{page}", .open) { call throws(APIError) in
            try document(call, "", call.parameter("page").text)
        }.admittingOtherSites,
        Endpoint(.get, "/docs/{folder}/{page}", .open) { call throws(APIError) in
            try document(call, "\(call.parameter("folder"))/", call.parameter("page").text)
        }.admittingOtherSites,
        Endpoint(.get, "/llms.txt", .open) { call throws(APIError) in
            try WebAssetRoutes.serve(call, "llms.txt", .revalidated)
        }.admittingOtherSites,
    ]

    /// A client that asks for Markdown gets the source at the address of the page.
    private static func document(_ call: Call, _ folder: String, _ name: String) throws(APIError) -> Handling {
        if let file = file(folder, name) { return .now(response(file, name, to: call.request)) }
        if folder.isEmpty, name == "search.json" {
            return try WebAssetRoutes.serve(call, "docs_search.json", .revalidated)
        }
        guard let file = file(folder, name + ".md") else {
            throw .notFound("There is no document \"\(folder)\(name)\".")
        }
        if call.request.accepts("text/markdown") { return .now(response(file, name + ".md", to: call.request)) }
        let page = (folder + name).map { $0 == "/" ? "_" : $0 }
        return try WebAssetRoutes.serve(call, "docs_\(String(page)).html", .revalidated)
    }

    /// A file of `docs`, or one of those outside that have an address beside them. The name of a page has no dot.
    private static func file(_ folder: String, _ name: String) -> EmbeddedFile? {
        guard name.contains("."), !(folder.dropLast() + name).contains("/") else { return nil }
        let roots = folder.isEmpty ? ["docs/", "", "config/"] : ["docs/"]
        return roots.lazy.compactMap { EmbeddedFile.at($0 + folder + name) }.first
    }

    private static func response(_ file: EmbeddedFile, _ name: String, to request: Request) -> Response {
        let tag = "\"\(file.digest)\""
        let known = request.header(.ifNoneMatch)
        let isKnown = known.map { EntityTag.matches(ifNoneMatch: $0, etag: tag) } ?? false
        var response = isKnown ? Response(304) : Response(200, body: .bytes(file.bytes))
        // Browsers show plain text, but offer to save YAML and Markdown.
        let isMarkdown = name.hasSuffix(".md") && request.accepts("text/markdown")
        if !isKnown { response.add("Content-Type", "text/\(isMarkdown ? "markdown" : "plain"); charset=utf-8") }
        response.add("ETag", tag)
        response.add("Cache-Control", "no-cache")
        response.add("Vary", "Accept")
        return response
    }
}
