internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// The daemon's own pages (docs/web.md#the-hosted-page).
enum HostedPageRoutes {
    static let all = [
        Endpoint(.get, "/s/{app}/{slug}", .interface(.hosted), errors: .page, handle: page),
        Endpoint(.get, "/sample/{app}", .interface(.hosted), handle: SamplePage.handle),
    ]

    /// Shows one questionnaire, survey or flow, for links and QR codes. A recipe must allow its hosted page.
    @Sendable private static func page(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let slug = call.parameter("slug")
        guard let recipe = app.hostedRecipe(slug), let kind = recipe.recipe.content else {
            throw .notFound("There is no page \"\(slug)\".")
        }
        let query = try PageQuery(call, app)
        let locale = query.locale
        let link = recipe.published?.link
        let texts = SurveyTexts(locale, in: app, of: recipe.survey?.definition)
        let expires = call.arrived.adding(seconds: PageToken.lifetimeSeconds)
        let token = PageToken(app: app.name, slug: slug, expires: expires).text(secret: call.services.secret)
        // The name of a flow is for its owners.
        let own = kind == .flow ? nil : recipe.recipe.document.object?["name"]?.string.map(texts.texts.resolve)
        let name = own ?? (kind == .flow ? app.manifest.shortName : slug.text)
        let attributes = PageHTML.attributes([
            "data-app": app.name.text, "data-slug": slug.text, "data-kind": kind.rawValue, "data-token": token,
            "data-locale": locale?.text ?? texts.locale, "data-theme": theme(of: recipe, in: app),
            "data-given": query.given(link, in: app).map { String(decoding: $0.encoded, as: UTF8.self) },
        ])
        var page = PageHTML(title: name, body: markup(attributes, name: app.manifest.shortName))
        (page.language, page.direction) = (texts.locale, texts.direction)
        page.mediaOrigins = app.manifest.web.mediaOrigins
        // The page contains a token.
        page.caching = "no-store"
        return .now(page.response)
    }

    /// The theme of the page before its script has requested the definition.
    private static func theme(of recipe: LoadedRecipe, in app: AppSnapshot) -> String? {
        Theme.merged(recipe.published?.theme, over: app.manifest.theme)?.text
    }

    /// The name of the app, and the element that the script fills, with the text for browsers without scripts.
    static func markup(_ attributes: String, name: String, root: String = "../../") -> String {
        """
        <header>\(PageHTML.escaped(name))</header>
        <main id="bellwether"\(attributes)></main>
        <noscript><p>This page shows its questions with JavaScript, which is turned off here.</p></noscript>
        <script type="module" src="\(root)\(WebAsset.address(of: "page.js"))"></script>
        """
    }
}

extension AppSnapshot {
    /// The recipe that has a hosted page; nil if there is no such recipe.
    func hostedRecipe(_ slug: Identifier) -> LoadedRecipe? {
        guard let recipe = recipes[slug], recipe.recipe.content != nil,
            recipe.stored.state != .draft, recipe.recipe.document.object?["hosted"]?.bool == true
        else { return nil }
        return recipe
    }
}
