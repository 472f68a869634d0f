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
            guard document.object?["kind"]?.string.flatMap(ContentKind.init(rawValue:)) != nil else {
                throw .invalid("kind", "Questionnaires, surveys and flows have a preview; this is another recipe.")
            }
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

    /// The same page as the hosted one, with the definition in it.
    @Sendable private static func page(_ call: Call) throws(APIError) -> Handling {
        guard let preview = call.services.previews.find(call.parameter("ticket"), now: call.arrived),
            let app = call.worker.snapshot.app(preview.app)
        else { throw .notFound("There is no such preview, or it has ended.") }
        let locale = try HostedPageRoutes.locale(call, app)
        let served = ServedDefinition(
            slug: preview.slug, revision: preview.revision, locale: locale, app: app, arrived: call.arrived)
        guard let content = served.preview(of: preview.document) else {
            throw .invalid("kind", "This revision cannot be shown.")
        }
        let place = PageHTML.attributes([
            "data-app": app.name, "data-slug": preview.slug, "data-kind": preview.document.object?["kind"]?.string,
            "data-locale": served.texts.locale, "data-preview": String(decoding: content.encoded, as: UTF8.self),
        ])
        var page = PageHTML(
            title: "\(preview.slug), revision \(preview.revision)", body: HostedPageRoutes.markup(place, root: "../"))
        (page.language, page.direction) = (served.texts.locale, served.texts.direction)
        page.mediaOrigins = app.manifest.web.mediaOrigins
        page.caching = "no-store"
        return .now(page.response)
    }
}
