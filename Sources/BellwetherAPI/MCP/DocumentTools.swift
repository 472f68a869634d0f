internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Tools that list, read and draft documents.
enum DocumentTools {
    static let all = [listApps, listRecipes, getDocument, writeDraft]

    static let cursor = ToolMember.optional("cursor", .string, "From the answer before")
    private static let nextCursor = ToolMember.optional("cursor", .string)

    private static let listApps = Tool(
        name: "list_apps", title: "List apps", description: "The apps that the token may see, 50 a page.",
        effect: .reads, abilities: [.read], input: [cursor], output: [.required("apps", .array), nextCursor]
    ) { call throws(APIError) in
        try call.ask(RouteRequest(.get, "v1", "apps")) { body throws(APIError) in
            try call.page("apps", body.object?["apps"]?.array ?? [])
        }
    }

    private static let listRecipes = Tool(
        name: "list_recipes", title: "List recipes",
        description: """
            An app's recipes, 50 a page: kind, state, revision, in_force (the revision that is served), draft_revision, \
            dates, surfaces, counts of responses, missing translations, and why one is not served.
            """,
        effect: .reads, abilities: [.read],
        input: [
            Tool.app, .optional("state", .string).among(RecipeState.allCases.map(\.rawValue)), cursor,
        ], output: [.required("recipes", .array), nextCursor]
    ) { call throws(APIError) in
        let request = RouteRequest(.get, "v1", "apps", try call.app(), "recipes").with("counts", "true")
        let state = call.arguments.string("state")
        return try call.ask(request) { body throws(APIError) in
            let recipes = (body.object?["recipes"]?.array ?? []).filter {
                state == nil || $0.object?["state"]?.string == state
            }
            return try call.page("recipes", recipes.map(row))
        }
    }

    private static let columns: Set = [
        "slug", "name", "kind", "state", "state_since", "revision", "in_force", "draft_revision", "author", "starts",
        "ends", "surfaces", "presents", "read_only", "not_served", "counts", "missing",
    ]

    /// The row of a recipe in a list.
    private static func row(_ recipe: JSONValue) -> JSONValue {
        .object(JSONObject((recipe.object ?? [:]).filter { columns.contains($0.key) && $0.value != .null }))
    }

    private static let getDocument = Tool(
        name: "get_document", title: "Get a document",
        description: """
            A recipe, manifest or strings, with its revision. Of one that is too long the answer has the sizes of its \
            parts; `at` gets a part.
            """,
        effect: .reads, abilities: [.read],
        input: [
            Tool.app, document, name,
            .optional("version", .string, "Default: newest, which may be a draft").among(["newest", "live"]),
            .optional("at", .string, "A JSON pointer"),
        ],
        output: [
            .required("revision", .integer), .required("state", .string), .required("is_draft", .boolean),
            .optional("parts", .array),
        ]
    ) { call throws(APIError) in
        let meant = try MeantDocument(call)
        let isLive = call.arguments.string("version") == "live"
        let request = meant.request(.get).with("state", isLive ? "live" : nil)
        return try call.askAnyway(request) { (status, content, snapshot) throws(APIError) in
            guard status < 400 else { return call.refusal(status, content, in: snapshot) }
            guard let version = snapshot.version(of: meant.name, in: meant.app) else {
                throw .notFound("There is no such document.")
            }
            guard let part = content.part(at: call.arguments.string("at") ?? "") else {
                throw .notFound("The document has nothing at this pointer.")
            }
            var members = (isLive ? version.withoutDraft ?? version : version).standing
            if part.encoded.count <= BoundedResult.bytes {
                members["content"] = part
            } else {
                members["parts"] = .array(part.sizes)
            }
            return call.whole(members)
        }
    }

    private static let document = ToolMember.required("document", .string).among(["recipe", "manifest", "strings"])
    private static let name = ToolMember.optional("name", .string, "Slug of a recipe, locale of strings")

    private static let writeDraft = Tool(
        name: "write_draft", title: "Write a draft",
        description: """
            Stores a whole document as a draft; users see nothing of it before publish_draft. Only an app's first manifest \
            is live at once. Findings have pointers into `content`: an error (422) stored nothing, a warning was stored. \
            Write the manifest first, then strings, then recipes.
            """,
        effect: .adds, abilities: [.publish, .texts],
        input: [
            Tool.app, document, name, .required("content", .object, "The whole document, not a part"),
            .required("expecting", .integer, "The newest revision that you have read; 0: there is none yet"),
        ],
        output: [.required("revision", .integer), .required("state", .string), .required("warnings", .array)]
    ) { call throws(APIError) in
        let meant = try MeantDocument(call)
        let revision = call.arguments.integer("expecting") ?? 0
        let request = meant.request(.put).with("state", "draft")
            .with(header: revision == 0 ? "If-None-Match" : "If-Match", revision == 0 ? "*" : "\"\(revision)\"")
            .with(body: call.arguments.value("content") ?? .null)
        return try call.ask(request, about: meant.subject) { receipt in
            var members = receipt.object ?? [:]
            // A live manifest or strings document has no other state if it needs no approval.
            members["state"] = members["state"] ?? "live"
            return call.result(members)
        }
    }

    /// Publishes a draft.
    static let publishDraft = Tool(
        name: "publish_draft", title: "Put a draft live",
        description: """
            Puts the newest revision of a document live: people are shown it. The user is asked first. A recipe that is \
            paused goes on with it.
            """,
        effect: .changes, abilities: [.publish, .texts],
        input: [
            Tool.app, document, name, .required("expecting", .integer, "The revision that goes live"),
            StateTools.confirm,
        ], output: StateTools.output
    ) { call throws(APIError) in
        let meant = try MeantDocument(call)
        let revision = call.arguments.integer("expecting") ?? 0
        return try call.confirmed("Put revision \(revision) of \(meant.words) live?") { () throws(APIError) in
            try call.ask(
                meant.request(.post, "state").with(
                    body: ["state": "live", "revision": .integer(Int64(revision))]), about: meant.subject
            ) { call.result($0.object ?? [:]) }
        }
    }
}

/// The document that a call names.
struct MeantDocument {
    let app: Identifier
    let name: DocumentName

    init(_ call: ToolCall) throws(APIError) {
        app = try call.app()
        let name = call.arguments.identifier("name")
        switch (call.arguments.string("document"), name) {
        case ("manifest", nil): self.name = .manifest
        case ("strings", let locale?): self.name = .strings(locale: locale)
        case ("recipe", let slug?): self.name = .recipe(slug: slug)
        case ("manifest", _): throw .badRequest("unknown_key", "a manifest has no name", at: .parameter("name"))
        default:
            throw .badRequest(
                "missing_key", "expected the key \"name\": a recipe's slug, or the locale of strings",
                at: .parameter("name"))
        }
    }

    init(recipe slug: Identifier, of app: Identifier) { (self.app, name) = (app, .recipe(slug: slug)) }

    var subject: (name: DocumentName, app: Identifier) { (name, app) }

    var words: String {
        switch name {
        case .manifest: "the manifest of \(app)"
        case .strings(let locale): "the strings \(locale) of \(app)"
        case .recipe(let slug): "the recipe \(slug) of \(app)"
        }
    }

    func request(_ method: HTTPMethod, _ more: Identifier...) -> RouteRequest {
        let own: [Identifier] =
            switch name {
            case .manifest: ["manifest"]
            case .strings(let locale): ["strings", locale]
            case .recipe(let slug): ["recipes", slug]
            }
        return RouteRequest(method, path: ["v1", "apps", app] + own + more)
    }

    /// The current version of the document; nil if there is none.
    func version(_ call: ToolCall) -> DocumentVersion? { call.call.snapshot.version(of: name, in: app) }
}

extension ToolCall {
    /// One page of a list.
    func page(_ name: String, _ rows: [JSONValue]) throws(APIError) -> Step {
        guard let page = ListPage(rows, after: arguments.string("cursor")) else { throw .cursor }
        var members: JSONObject = [:]
        members[name] = .array(page.rows)
        members["cursor"] = page.cursor.map(JSONValue.string)
        return result(members)
    }
}

extension APIError {
    static let cursor = APIError.badRequest(
        "cursor", "the cursor is none that this list has given", at: .parameter("cursor"))
}

extension JSONValue {
    /// The value at a JSON pointer.
    fileprivate func part(at pointer: String) -> JSONValue? {
        guard !pointer.isEmpty else { return self }
        guard pointer.hasPrefix("/") else { return nil }
        var part = self
        for token in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let key = String(token).replacing("~1", with: "/").replacing("~0", with: "~")
            let index = Int(key)
            switch part {
            case .object(let members):
                guard let next = members[key] else { return nil }
                part = next
            case .array(let values):
                guard let index, values.indices.contains(index) else { return nil }
                part = values[index]
            default: return nil
            }
        }
        return part
    }

    /// The pointers and the sizes of the parts of a value that is itself too long.
    fileprivate var sizes: [JSONValue] {
        let parts: [(String, JSONValue)] =
            switch self {
            case .object(let members): members.map { ($0.key, $0.value) }
            case .array(let values): values.enumerated().map { (String($0.offset), $0.element) }
            default: []
            }
        return parts.prefix(1_000).map { key, value in
            let pointer = JSONPointer(tokens: [key]).description
            return ["at": .string(pointer), "bytes": .integer(Int64(value.encoded.count))]
        }
    }
}
