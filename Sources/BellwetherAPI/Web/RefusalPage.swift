internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// The page that a browser gets in place of a problem document (docs/web.md#the-hosted-page): a link that leads
/// nowhere, or to a page that is not public. Its script says so in the browser's language.
struct RefusalPage {
    let problem: Problem
    let call: Call

    /// The page as a response; nil if the route has no pages, or the client reads no HTML.
    var response: Response? {
        if call.endpoint.errors == .login { return LoginRefusal.response(problem) }
        guard call.endpoint.errors == .page, call.request.accepts("text/html") else { return nil }
        var page = app.map(page) ?? plain
        page.status = problem.status
        page.caching = "no-store"
        var response = page.response
        response.headers.append(contentsOf: problem.headers)
        return response
    }

    /// The app whose look the page has. Clients that may not open the page do not learn the app's name.
    private var app: AppSnapshot? {
        problem.status == 404 ? call.snapshot.apps[call.parameter("app")] : nil
    }

    private func page(of app: AppSnapshot) -> PageHTML {
        let locale = (try? PageQuery(call, app))?.locale
        let texts = SurveyTexts(locale, in: app)
        let attributes = PageHTML.attributes([
            "data-app": app.name.text, "data-locale": locale?.text ?? texts.locale,
            "data-theme": app.manifest.theme?.text,
        ])
        let body = HostedPageRoutes.markup(attributes, name: app.manifest.shortName)
        var page = PageHTML(title: app.manifest.shortName, body: body)
        (page.language, page.direction) = (texts.locale, texts.direction)
        return page
    }

    private var plain: PageHTML {
        var page = PageHTML(title: "Bellwether", body: HostedPageRoutes.markup("", name: ""))
        let accepted = call.request.header(.acceptLanguage).map { AcceptLanguage(String(decoding: $0, as: UTF8.self)) }
        if let tag = accepted?.tags.first {
            (page.language, page.direction) = (tag.text, tag.isRightToLeft ? "rtl" : "ltr")
        }
        return page
    }
}
