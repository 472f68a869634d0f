internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The resources that a model may read (docs/reference/mcp.md#resources): the pages of the program, and the documents
/// of apps.
enum MCPResources {
    private static let scheme = "bellwether://"

    /// The pages, which contain no data of an app.
    private static let pages: [(name: String, title: String)] = [
        ("owners-guide.md", "The owner's guide"), ("findings.md", "Findings, by code"),
        ("operators-guide.md", "The operator's guide"),
        ("reference/messaging.md", "Messages, triggers, styles, pacing"),
        ("reference/surveys.md", "Questionnaires and surveys"), ("reference/flows.md", "Flows"),
        ("reference/experiments.md", "Experiments"), ("reference/expressions.md", "Expressions"),
        ("reference/features.md", "Features"), ("reference/events.md", "Events"),
        ("reference/webhooks.md", "Webhooks"), ("reference/http-api.md", "The HTTP API and the command line"),
        ("reference/mcp.md", "These tools"),
    ]

    static let templates: JSONValue = [
        template("apps/{app}/manifest", "manifest", "An app's manifest"),
        template("apps/{app}/strings/{locale}", "strings", "An app's texts in a language"),
        template("apps/{app}/recipes/{slug}", "recipe", "A recipe, its newest revision"),
    ]

    private static func template(_ path: String, _ name: String, _ title: String) -> JSONValue {
        [
            "uriTemplate": .string(scheme + path), "name": .string(name), "title": .string(title),
            "mimeType": "application/json",
        ]
    }

    /// The pages, then each recipe that the token may read.
    static func list(_ request: MCPRequest, _ call: BackgroundCall) throws(MCPError) -> Response {
        let apps = call.snapshot.apps.values.filter { call.principal?.can(.read, in: $0.name) ?? false }
            .sorted { $0.name < $1.name }
        let recipes = apps.flatMap { app in
            app.recipes.values.map(\.stored.slug).sorted().map { recipe($0, of: app.name) }
        }
        let all = pages.map { page($0.name, $0.title) } + recipes
        let cursor = request.params["cursor"]
        guard cursor == nil || cursor?.string != nil, let page = ListPage(all, after: cursor?.string) else {
            throw .cursor
        }
        var members: JSONObject = ["resources": .array(page.rows)]
        members["nextCursor"] = page.cursor.map(JSONValue.string)
        return request.result(members, keptSeconds: 0, isPublic: false, call)
    }

    private static func page(_ name: String, _ title: String) -> JSONValue {
        [
            "uri": .string(scheme + "docs/" + name), "name": .string(name), "title": .string(title),
            "mimeType": "text/markdown", "size": .integer(Int64(EmbeddedFile.at("docs/" + name)?.bytes.count ?? 0)),
        ]
    }

    private static func recipe(_ slug: Identifier, of app: Identifier) -> JSONValue {
        let path = RouteRequest(.get, "apps", app, "recipes", slug).encodedPath.dropFirst()
        return [
            "uri": .string(scheme + path), "name": .string("\(app)/\(slug)"), "mimeType": "application/json",
        ]
    }

    static func read(_ request: MCPRequest, _ call: BackgroundCall) throws(MCPError) -> Step {
        guard let uri = request.params["uri"]?.string else { throw MCPError(.invalidParameters, "params has no uri.") }
        guard uri.hasPrefix(scheme) else { throw missing(uri, request) }
        let path = uri.dropFirst(scheme.count)
        if path.hasPrefix("docs/") {
            guard pages.contains(where: { path.dropFirst(5) == $0.name }),
                let file = EmbeddedFile.at(String(path))
            else { throw missing(uri, request) }
            let text = String(decoding: file.bytes, as: UTF8.self)
            return .respond(
                answer(
                    uri, text, "text/markdown", request, keptSeconds: MCPMethods.programSeconds, isPublic: true, call))
        }
        return try document(path, uri, request, call)
    }

    private static func document(
        _ path: Substring, _ uri: String, _ request: MCPRequest, _ call: BackgroundCall
    ) throws(MCPError) -> Step {
        var parts: [Identifier] = []
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            guard let text = PercentDecoding.text(Array(part.utf8)[...], plus: .literal) else {
                throw missing(uri, request)
            }
            parts.append(Identifier(text))
        }
        let isDocument =
            parts.count == 3 && parts[2] == "manifest"
            || parts.count == 4 && ["strings", "recipes"].contains(parts[2])
        guard isDocument, parts[0] == "apps" else { throw missing(uri, request) }
        guard let asked = RouteRequest(.get, path: ["v1"] + parts).request else { throw missing(uri, request) }
        return .ask(asked) { response, _ in
            guard response.status == 200 else {
                return .respond(
                    missing(uri, request).response(id: request.message.id, hasStatus: !request.revision.isLegacy))
            }
            let text = String(decoding: response.content, as: UTF8.self)
            return .respond(answer(uri, text, "application/json", request, keptSeconds: 0, isPublic: false, call))
        }
    }

    private static func answer(
        _ uri: String, _ text: String, _ type: String, _ request: MCPRequest, keptSeconds: Int64, isPublic: Bool,
        _ call: BackgroundCall
    ) -> Response {
        let content: JSONValue = ["uri": .string(uri), "mimeType": .string(type), "text": .string(text)]
        return request.result(["contents": [content]], keptSeconds: keptSeconds, isPublic: isPublic, call)
    }

    private static func missing(_ uri: String, _ request: MCPRequest) -> MCPError {
        MCPError(
            request.revision.isLegacy ? .legacyMissingResource : .invalidParameters,
            "There is no resource of this address that the token may read; resources/list has those that there are.",
            data: ["uri": .string(uri)])
    }
}
