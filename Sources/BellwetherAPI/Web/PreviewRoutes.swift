internal import BellwetherAuthoring
internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// A look at one revision, also a draft's, as respondents would see it; nothing is recorded (docs/web.md#preview).
enum PreviewRoutes {
    static let all = [
        Endpoint(.post, "/v1/apps/{app}/recipes/{slug}/preview", .needs(.read), handle: create),
        Endpoint(.get, "/preview/{ticket}", .open, handle: page),
        Endpoint(.post, "/v1/apps/{app}/recipes/render", .needs(.read), handle: render),
    ]

    /// `?revision=N`; by default the newest, also a draft.
    @Sendable private static func create(_ call: Call) throws(APIError) -> Handling {
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
            let entry = AuditEntry(previewOf: slug, revision: revision.revision, in: app, call.origin)
            return call.audited(entry) {
                let url = "/preview/\(ticket.text(secret: call.services.secret))"
                var response = Response.json(
                    200, ["url": .string(url), "expires_at": .string(ticket.expires.rfc3339)])
                response.add("Cache-Control", "no-store")
                return response
            }
        }
    }

    /// The preview of a document that is not stored (docs/reference/http-api.md#recipes).
    @Sendable private static func render(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let query = try PageQuery(call, app, takesBranch: true)
        let document = try call.json()
        let shown = ShownDocument(
            slug: query.others["slug"] ?? "preview", revision: 1, document: document, app: app,
            locale: query.locale, arrived: call.arrived)
        guard let content = shown.content(branch: query.branch) else {
            throw .invalid("preview", "This document, or this branch, has nothing to show.")
        }
        let missing = MissingTranslation.all(in: document, app.strings)
            .filter { $0.locales.contains(shown.locale) }
        let ids = Set(missing.map { ByteKey(text: $0.id) }).map(\.text).sorted { $0.precedes($1) }
        return .now(
            .json(
                200,
                [
                    "missing": .array(ids.map(JSONValue.string)),
                    "kind": .string(shown.kind), "branches": .array(shown.branches.map(JSONValue.string)),
                    "locale": .string(shown.locale), "dir": .string(shown.texts.direction), "shown": content,
                    "theme": shown.theme.flatMap { try? JSONValue(parsing: Array($0.text.utf8)) } ?? .null,
                ]))
    }

    @Sendable private static func page(_ call: Call) throws(APIError) -> Handling {
        guard let ticket = PreviewTicket(call.parameter("ticket"), secret: call.services.secret),
            ticket.expires > call.arrived, let app = call.worker.snapshot.app(ticket.app)
        else { throw .notFound("There is no such preview, or it has ended.") }
        let query = try PageQuery(call, app, takesBranch: true)
        return try withRevision(ticket.revision, of: ticket.slug, in: ticket.app, call) {
            (revision) throws(APIError) in
            .now(try page(ticket, revision, app, query, call))
        }
    }

    /// The newest revision and the one in force are at hand; others are read.
    ///
    /// - Parameter number: nil: the newest.
    static func withRevision(
        _ number: Int?, of slug: String, in app: String, _ call: Call,
        _ answer: @escaping (StoredDocument) throws(APIError) -> Handling
    ) throws(APIError) -> Handling {
        let stored = call.worker.snapshot.app(app)?.recipes[slug]?.stored
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

    /// The same page as the hosted one, with the definition, or the messages of a branch, in it.
    private static func page(
        _ ticket: PreviewTicket, _ revision: StoredDocument, _ app: AppSnapshot, _ query: PageQuery, _ call: Call
    ) throws(APIError) -> Response {
        guard let document = try? JSONValue(parsing: revision.text, limits: .kept) else {
            throw .notFound("There is no revision \(ticket.revision).")
        }
        let shown = ShownDocument(
            slug: ticket.slug, revision: ticket.revision, document: document, app: app, locale: query.locale,
            arrived: call.arrived)
        guard let content = shown.content(branch: query.branch) else {
            throw .invalid("preview", "This revision, or this branch, has nothing to show.")
        }
        let attributes = PageHTML.attributes([
            "data-app": app.name, "data-slug": ticket.slug, "data-kind": shown.kind, "data-locale": shown.locale,
            "data-preview": String(decoding: content.encoded, as: UTF8.self), "data-theme": shown.theme?.text,
            "data-link": app.hostedRecipe(ticket.slug).map { _ in "../s/\(app.name)/\(ticket.slug)" },
        ])
        var page = PageHTML(
            title: "\(ticket.slug), revision \(ticket.revision)", body: HostedPageRoutes.markup(attributes, root: "../")
        )
        (page.language, page.direction) = (shown.texts.locale, shown.texts.direction)
        page.mediaOrigins = app.manifest.web.mediaOrigins
        page.caching = "no-store"
        return page.response
    }
}

/// The query of a page's address.
struct PageQuery {
    /// `?locale=`, else `Accept-Language`.
    private(set) var locale: LanguageTag?
    private(set) var branch: String?
    /// The other parameters, by name.
    private(set) var others: [String: String] = [:]

    init(_ call: Call, _ app: AppSnapshot, takesBranch: Bool = false) throws(APIError) {
        let reader = try QueryReader(call)
        for item in reader.items {
            if item.name == "locale" {
                locale = LanguageTag(item.value)
                if locale == nil { reader.fault("locale", at: "locale", LanguageTag.refusal(of: item.value)) }
            } else if item.name == "branch", takesBranch {
                branch = item.value
            } else {
                others[item.name] = item.value
            }
        }
        try reader.finish()
        locale = locale ?? ContextReading.acceptedLanguage(call, in: app)
    }

    private static let longestText = 1_000

    /// The values that the address gives for names that a recipe lists: `{answers, attributes}`, attributes with the
    /// types that the manifest declares. Nil: none.
    func given(_ link: LinkParameters?, in app: AppSnapshot) -> JSONValue? {
        guard let link else { return nil }
        let known = others.filter { $0.value.unicodeScalars.count <= Self.longestText }
        let answers = link.answers.compactMap { name in known[name].map { (key: name, value: JSONValue.string($0)) } }
        let attributes = link.attributes.compactMap { name in
            known[name].flatMap { app.manifest.attributes[name]?.decode($0) }.map { (key: name, value: $0) }
        }
        guard !answers.isEmpty || !attributes.isEmpty else { return nil }
        return ["answers": .object(JSONObject(answers)), "attributes": .object(JSONObject(attributes))]
    }
}
