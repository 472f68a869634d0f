internal import BellwetherAuthoring
internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// The preview of one revision, which may be a draft, in the form for respondents. Nothing is recorded
/// (docs/web.md#preview).
enum PreviewRoutes {
    static let all = [
        Endpoint(.post, "/v1/apps/{app}/recipes/{slug}/preview", .needs(.read), inBackground: create),
        Endpoint(.get, "/preview/{ticket}", .open, inBackground: page),
        Endpoint(.post, "/preview/{ticket}", .open, inBackground: play).reading,
        Endpoint(.post, "/v1/apps/{app}/recipes/render", .needs(.read), inBackground: render),
    ]

    /// `?revision=N` selects the revision. The default is the newest, which may be a draft.
    @Sendable private static func create(_ call: BackgroundCall) throws(APIError) -> Step {
        let reader = try QueryReader(call)
        var number: Int?
        for item in reader.items {
            if item.name == "revision" {
                number = LifecycleRoutes.revision(item.name, item.value, reader)
            } else {
                reader.refuse(item.name)
            }
        }
        try reader.finish()
        let (app, slug) = (call.parameter("app"), call.parameter("slug"))
        return try withRevision(number, of: slug, in: app, call) { revision in
            let ticket = PreviewTicket(
                app: app, slug: slug, revision: revision.revision,
                expires: call.arrived.adding(seconds: PreviewTicket.lifetimeSeconds))
            let url = "/preview/\(ticket.text(secret: call.services.secret))"
            var response = Response.json(200, ["url": .string(url), "expires_at": .string(ticket.expires.rfc3339)])
            response.add("Cache-Control", "no-store")
            return .respond(response)
        }
    }

    /// The preview of a document that is not stored (docs/reference/http-api.md#recipes).
    @Sendable private static func render(_ call: BackgroundCall) throws(APIError) -> Step {
        let app = try call.app()
        let query = try PageQuery(call, app, isPreview: true)
        let document = try call.json()
        let shown = ShownDocument(
            slug: query.others["slug"].map { Identifier($0) } ?? "preview", revision: 1, document: document, app: app,
            locale: query.locale, arrived: query.persona?.now ?? call.arrived)
        guard let content = shown.content(branch: query.branch) else {
            throw .invalid("preview", "the document, or the branch, has nothing to show")
        }
        let missing = MissingTranslation.all(in: document, app.strings)
            .filter { $0.locales.contains(shown.locale) }
        let ids = Set(missing.map { Identifier($0.id) }).sorted()
        return .respond(
            .json(
                200,
                [
                    "missing": .array(ids.map { .string($0) }),
                    "personas": .array(Persona.names(in: app).map(JSONValue.string)),
                    "attributes": .object(query.persona?.attributes ?? [:]),
                    "now": query.persona?.now.map { .string($0.rfc3339) } ?? .null,
                    "hooks": .bool(shown.hasHooks), "offer": shown.offer ?? .null,
                    "kind": .string(shown.kind), "branches": .array(shown.branches.map { .string($0) }),
                    "locale": .string(shown.locale), "dir": .string(shown.texts.direction), "shown": content,
                    "theme": shown.theme.flatMap { try? JSONValue(parsing: Array($0.text.utf8)) } ?? .null,
                ]))
    }

    private static func ticket(_ call: BackgroundCall) throws(APIError) -> (PreviewTicket, AppSnapshot) {
        guard let ticket = PreviewTicket(call.parameter("ticket").text, secret: call.services.secret),
            ticket.expires > call.arrived, let app = call.snapshot.apps[ticket.app]
        else { throw .notFound("There is no such preview, or it has ended.") }
        return (ticket, app)
    }

    @Sendable private static func page(_ call: BackgroundCall) throws(APIError) -> Step {
        let (ticket, app) = try ticket(call)
        let query = try PageQuery(call, app, isPreview: true)
        return try withRevision(ticket.revision, of: ticket.slug, in: ticket.app, call) {
            (revision) throws(APIError) in
            .respond(try page(ticket, revision, app, query, call))
        }
    }

    /// Simulates the ticket's revision while a person uses the page.
    @Sendable private static func play(_ call: BackgroundCall) throws(APIError) -> Step {
        let (ticket, app) = try ticket(call)
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        _ = reader.object()
        let query = SimulationRequest(reader, app, call)
        guard findings.faults.isEmpty else { throw .badRequest(findings.faults) }
        return try withRevision(ticket.revision, of: ticket.slug, in: ticket.app, call) {
            (revision) throws(APIError) in
            let document = try document(of: revision, ticket)
            let answer = try query.trial(of: JSONReader(document, findings: Findings()), slug: ticket.slug)
            var response = Response.json(200, answer)
            response.add("Cache-Control", "no-store")
            return .respond(response)
        }
    }

    private static func document(
        of revision: StoredDocument, _ ticket: PreviewTicket
    ) throws(APIError) -> JSONValue {
        guard let document = try? JSONValue(parsing: revision.text, limits: .kept) else {
            throw .notFound("There is no revision \(ticket.revision).")
        }
        return document
    }

    /// The newest revision and the revision in force are in memory; other revisions are read.
    ///
    /// - Parameter number: The revision; nil for the newest.
    static func withRevision(
        _ number: Int?, of slug: Identifier, in app: Identifier, _ call: BackgroundCall,
        _ answer: @escaping @Sendable (StoredDocument) throws(APIError) -> Step
    ) throws(APIError) -> Step {
        let stored = call.snapshot.apps[app]?.recipes[slug]?.stored
        let known = [stored?.document, stored?.inForce].compactMap(\.self)
        if let revision = number.map({ number in known.first { $0.revision == number } }) ?? known.first {
            return try answer(revision)
        }
        return LifecycleRoutes.withHistory(of: slug, in: app, call) { (revisions) throws(APIError) in
            guard let newest = revisions.max(by: { $0.revision < $1.revision }) else {
                throw .notFound("There is no recipe \"\(slug)\".")
            }
            return try answer(try LifecycleRoutes.find(number ?? newest.revision, in: revisions))
        }
    }

    /// The hosted page, which also contains the definition or the messages of a branch.
    private static func page(
        _ ticket: PreviewTicket, _ revision: StoredDocument, _ app: AppSnapshot, _ query: PageQuery,
        _ call: BackgroundCall
    ) throws(APIError) -> Response {
        let shown = ShownDocument(
            slug: ticket.slug, revision: ticket.revision, document: try document(of: revision, ticket), app: app,
            locale: query.locale, arrived: query.persona?.now ?? call.arrived)
        guard let content = shown.content(branch: query.branch) else {
            throw .invalid("preview", "the revision, or the branch, has nothing to show")
        }
        let attributes = PageHTML.attributes([
            "data-app": app.name.text, "data-slug": ticket.slug.text, "data-kind": shown.kind,
            "data-locale": shown.locale,
            "data-preview": String(decoding: content.encoded, as: UTF8.self), "data-theme": shown.theme?.text,
            "data-given": query.given(shown.link, in: app).map { String(decoding: $0.encoded, as: UTF8.self) },
            "data-now": query.persona?.now?.rfc3339,
            "data-link": app.hostedRecipe(ticket.slug).map { _ in "../s/\(app.name)/\(ticket.slug)" },
        ])
        var page = PageHTML(
            title: "\(ticket.slug), revision \(ticket.revision)",
            body: HostedPageRoutes.markup(attributes, name: app.manifest.shortName, root: "../")
        )
        (page.language, page.direction) = (shown.texts.locale, shown.texts.direction)
        page.mediaOrigins = app.manifest.web.mediaOrigins
        page.caching = "no-store"
        return page.response
    }
}

/// The query of a page's address.
struct PageQuery {
    /// The language: `?locale=`, else the persona's, else `Accept-Language`.
    private(set) var locale: LanguageTag?
    private(set) var branch: Identifier?
    /// The persona of a preview.
    private(set) var persona: Persona?
    /// The other parameters, by name.
    private(set) var others: [String: String] = [:]

    /// - Parameter isPreview: Whether the address may have a branch and a persona.
    init(_ call: some RoutedRequest, _ app: AppSnapshot, isPreview: Bool = false) throws(APIError) {
        let reader = try QueryReader(call)
        for item in reader.items {
            if item.name == "locale" {
                locale = reader.languageTag(item)
            } else if item.name == "branch", isPreview {
                branch = Identifier(item.value)
            } else if item.name == "persona", isPreview {
                persona = Persona(item.value, in: app)
                if persona == nil {
                    reader.fault("unknown_persona", at: "persona", "The manifest has no persona of this name.")
                }
            } else {
                others[item.name] = item.value
            }
        }
        try reader.finish()
        locale = locale ?? persona?.locale ?? ContextReading.acceptedLanguage(call, in: app)
    }

    private static let longestText = 1_000

    /// The values in the address for names that a recipe lists: `{answers, attributes}`; nil if there are none.
    /// Attributes have the types that the manifest declares, and are added to the persona's.
    func given(_ link: LinkParameters?, in app: AppSnapshot) -> JSONValue? {
        let known = others.filter { $0.value.unicodeScalars.count <= Self.longestText }
        let answers = (link?.answers ?? []).compactMap { name in
            known[name].map { (key: name, value: JSONValue.string($0)) }
        }
        var attributes = persona?.attributes ?? [:]
        for name in link?.attributes ?? [] {
            attributes[name] = known[name].flatMap { app.manifest.attributes[name]?.decode($0) } ?? attributes[name]
        }
        guard !answers.isEmpty || !attributes.isEmpty else { return nil }
        return ["answers": .object(JSONObject(answers)), "attributes": .object(attributes)]
    }
}
