internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// A look at one revision, also a draft's, as respondents would see it; nothing is recorded (docs/web.md#preview).
enum PreviewRoutes {
    static let all = [
        Endpoint(.post, "/v1/apps/{app}/recipes/{slug}/preview", .scope(.owner), handle: create),
        Endpoint(.get, "/preview/{ticket}", .open, handle: page),
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
        return try LifecycleRoutes.withHistory(call) { [number] (revisions) throws(APIError) in
            let newest = revisions.max { $0.revision < $1.revision }
            let found = try number.map { (number) throws(APIError) in try LifecycleRoutes.find(number, in: revisions) }
            guard let revision = found ?? newest, let document = try? JSONValue(parsing: revision.text, limits: .kept)
            else { throw .notFound("There is no recipe \"\(call.parameter("slug"))\".") }
            let preview = Preview(
                app: call.parameter("app"), slug: call.parameter("slug"), revision: revision.revision,
                document: document, expires: call.arrived.adding(seconds: Preview.lifetimeSeconds))
            let ticket = call.services.previews.add(preview, now: call.arrived)
            var response = Response.json(
                200, ["url": .string("/preview/\(ticket)"), "expires_at": .string(preview.expires.rfc3339)])
            response.add("Cache-Control", "no-store")
            return .now(response)
        }
    }

    /// The same page as the hosted one, with the definition, or the messages of a branch, in it.
    @Sendable private static func page(_ call: Call) throws(APIError) -> Handling {
        guard let preview = call.services.previews.find(call.parameter("ticket"), now: call.arrived),
            let app = call.worker.snapshot.app(preview.app)
        else { throw .notFound("There is no such preview, or it has ended.") }
        let question = try PageQuestion(call, app, takesBranch: true)
        let kind = preview.document.object?["kind"]?.string
        let served = ServedDefinition(
            slug: preview.slug, revision: preview.revision, locale: question.locale, app: app, arrived: call.arrived)
        let messages = MessagePreview(preview: preview, app: app, locale: question.locale)
        let shown = kind == nil ? messages.json(branch: question.branch) : served.preview(of: preview.document)
        guard let shown else { throw .invalid("preview", "This revision, or this branch, has nothing to show.") }
        let place = PageHTML.attributes([
            "data-app": app.name, "data-slug": preview.slug, "data-kind": kind ?? "message",
            "data-locale": question.locale?.text ?? served.texts.locale,
            "data-preview": String(decoding: shown.encoded, as: UTF8.self),
        ])
        var page = PageHTML(
            title: "\(preview.slug), revision \(preview.revision)", body: HostedPageRoutes.markup(place, root: "../"))
        (page.language, page.direction) = (served.texts.locale, served.texts.direction)
        page.mediaOrigins = app.manifest.web.mediaOrigins
        page.caching = "no-store"
        return .now(page.response)
    }
}

/// What the address of a page says beside its path.
struct PageQuestion {
    /// `?locale=`, else `Accept-Language`.
    private(set) var locale: LanguageTag?
    private(set) var branch: String?

    init(_ call: Call, _ app: AppSnapshot, takesBranch: Bool = false) throws(APIError) {
        let reader = try QueryReader(call)
        for item in reader.items {
            if item.name == "locale" {
                locale = LanguageTag(item.value)
                if locale == nil { reader.fault("locale", at: "locale", LanguageTag.refusal(of: item.value)) }
            } else if item.name == "branch", takesBranch {
                branch = item.value
            }
        }
        try reader.finish()
        locale = locale ?? ContextReading.acceptedLanguage(call, in: app)
    }
}
