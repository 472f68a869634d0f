internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// A page, only with `--dev`, that embeds the widget and has an example of each kind of content
/// (docs/web.md#addresses). Its other content comes from `Web/sample/APP.html`, if there is such a file.
struct SamplePage {
    /// The kinds that a page can show, in the order of the cards.
    fileprivate enum Kind: CaseIterable {
        case flow, chat, questionnaire, survey, message, microsurvey
    }

    /// A live recipe or message that can be shown.
    private struct Item {
        let slug: Identifier
        let name: String
        /// The surface of a message.
        var surface: Identifier?
        /// The kind of the presented content.
        var content: ContentKind?
        var isHosted = false
    }

    private let app: AppSnapshot
    private let texts: SurveyTexts
    private var items: [Kind: [Item]] = [:]
    /// The description of the product, as markup.
    private let product: String

    @Sendable static func handle(_ call: Call) throws(APIError) -> Handling {
        guard call.worker.settings.isOpen else { throw .notFound("Sample pages are for --dev.") }
        let app = try call.app()
        let texts = SurveyTexts(try PageQuery(call, app).locale, in: app)
        let file = "\(app.name).html"
        let product = call.worker.settings.webFiles?(file) ?? WebAsset.builtIn(file)?.bytes
        let sample = SamplePage(app, texts, product: product.map { String(decoding: $0, as: UTF8.self) })
        return .now(sample.page.response)
    }

    private init(_ app: AppSnapshot, _ texts: SurveyTexts, product: String?) {
        (self.app, self.texts) = (app, texts)
        self.product =
            product ?? "<section class=\"hero\"><h1>\(PageHTML.escaped(app.manifest.shortName))</h1></section>"
        for recipe in app.recipes.values.sorted(by: { $0.stored.slug < $1.stored.slug }) where recipe.isLive {
            add(recipe)
        }
    }

    private mutating func add(_ recipe: LoadedRecipe) {
        let document = recipe.recipe.document.object
        guard let content = recipe.recipe.content else { return addMessages(recipe) }
        let name = document?["name"]?.string.map(texts.texts.resolve) ?? recipe.stored.slug.text
        let isChat = recipe.flow?.definition.steps.first?.kind == .interactiveChat
        let kind: Kind =
            switch content {
            case .questionnaire: .questionnaire
            case .survey: .survey
            case .flow: isChat ? .chat : .flow
            }
        let isHosted = document?["hosted"]?.bool == true
        let item = Item(slug: recipe.stored.slug, name: name, content: content, isHosted: isHosted)
        items[kind, default: []].append(item)
    }

    /// Adds the messages of the first branch that has any.
    private mutating func addMessages(_ recipe: LoadedRecipe) {
        let messaging = recipe.recipe.messagingByBranch.lazy.compactMap(\.value).first
        for member in messaging?["messages"]?.object ?? [:] {
            guard let document = member.value.object else { continue }
            let message = MessageDefinition(document, dialect: app.manifest.dialect)
            guard !message.isControl else { continue }
            let item = Item(
                slug: recipe.stored.slug, name: texts.texts.resolve(message.title ?? message.text),
                surface: message.surface)
            items[message.kind == .microsurvey ? .microsurvey : .message, default: []].append(item)
        }
    }

    private var page: PageHTML {
        let widget: KeyValuePairs<String, String?> = ["data-app": app.name.text, "data-event": "page_viewed"]
        var page = PageHTML(
            title: app.manifest.shortName,
            body: """
                <header class="top"><p class="brand">\(Self.mark)\(PageHTML.escaped(app.manifest.shortName))</p>\
                <a href="../console">The owner’s console</a></header>
                <main>
                \(product)
                \(tries)
                </main>
                <footer class="foot"><p>A page that embeds Bellwether with one tag. Each time it is loaded it counts the event \
                <code>page_viewed</code>.</p></footer>
                <script type="module" src="../\(WebAsset.address(of: "sample.js"))"></script>
                <script async src="../bellwether.js"\(PageHTML.attributes(widget))></script>
                """)
        page.styleSheet = "../" + WebAsset.address(of: "sample.css")
        return page
    }

    /// One card for each kind with an item, and a list of the other items.
    private var tries: String {
        let all = Kind.allCases.map { (kind: $0, items: items[$0] ?? []) }
        let cards = all.compactMap { kind, items in items.first.map { card(kind, $0) } }
        let others = all.flatMap { kind, items in items.dropFirst().map { "<li>\(opener($0, label: $0.name))</li>" } }
        let more = others.isEmpty ? "" : "<h3>More of this app</h3><ul class=\"more\">\(others.joined())</ul>"
        let inline = app.manifest.surfaces.filter { $0 == "inline" }.map { surface in
            "<div class=\"slots\"\(PageHTML.attributes(["data-bellwether-surface": surface.text]))></div>"
        }
        return """
            <section class="try" id="try" aria-labelledby="tries">
            <h2 id="tries">Something to try of each kind</h2>
            <p class="lead">What this app has live now. Answers are kept, and stand in the console.</p>
            <ul class="cards">\(cards.joined(separator: "\n"))</ul>
            \(more)
            <p class="status" role="status" id="sample-status"></p>
            <button type="button" class="press" data-sample="anew">Begin again as a new visitor</button>
            \(inline.joined())
            </section>
            """
    }

    private func card(_ kind: Kind, _ item: Item) -> String {
        """
        <li><svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d="\(kind.path)"/></svg>
        <h3>\(kind.title)</h3><p>\(kind.sentence)</p><p class="which">\(PageHTML.escaped(item.name))</p>
        <div class="acts">\(opener(item, label: kind.invitation))</div></li>
        """
    }

    private func opener(_ item: Item, label: String) -> String {
        let name = "\(label): \(item.name)"
        let spoken = label == item.name ? nil : name
        guard item.surface == nil else {
            let attributes = PageHTML.attributes([
                "data-sample": "offer", "data-surface": item.surface?.text, "aria-label": spoken,
            ])
            return "<button type=\"button\" class=\"press\"\(attributes)>\(PageHTML.escaped(label))</button>"
        }
        let attributes = PageHTML.attributes([
            "data-bellwether-show": item.slug.text, "data-kind": item.content?.rawValue, "aria-label": spoken,
        ])
        let link = PageHTML.attributes([
            "href": "../s/\(app.name)/\(item.slug)", "aria-label": "\(item.name): its own page",
        ])
        return "<button type=\"button\" class=\"press strong\"\(attributes)>\(PageHTML.escaped(label))</button>"
            + (item.isHosted ? "<a\(link)>its own page</a>" : "")
    }

    /// The logo: two hills under a sun.
    private static let mark = """
        <svg viewBox="0 0 34 34" aria-hidden="true"><rect width="34" height="34" rx="9" fill="#2f6f5e"/>\
        <circle cx="24" cy="10" r="4" fill="#f7c873"/><path d="M4 27l9-14 6 9 4-5 7 10z" fill="#fffdf8"/></svg>
        """
}

extension SamplePage.Kind {
    fileprivate var title: String {
        switch self {
        case .flow: "Onboarding flow"
        case .chat: "Chat"
        case .questionnaire: "Questionnaire"
        case .survey: "Survey"
        case .message: "Message"
        case .microsurvey: "Microsurvey"
        }
    }

    fileprivate var sentence: String {
        switch self {
        case .flow: "Steps one after another, with pictures, choices and a branch."
        case .chat: "A conversation with somebody on the owner’s side."
        case .questionnaire: "A few questions, one on each page; a draft is kept."
        case .survey: "Question after question; what comes next depends on what was said."
        case .message: "A note that floats over the page when its trigger holds."
        case .microsurvey: "One question in a corner, answered by one press."
        }
    }

    fileprivate var invitation: String {
        switch self {
        case .flow: "Take a look"
        case .chat: "Start talking"
        case .questionnaire, .survey: "Answer it"
        case .message, .microsurvey: "Show it to a new visitor"
        }
    }

    /// The path of an icon of 24 by 24.
    fileprivate var path: String {
        switch self {
        case .flow: "M5 4h5v5H5zM14 15h5v5h-5zM10 6.500h4a3 3 0 0 1 3 3V15M14.500 12.500L17 15l2.500-2.500"
        case .chat: "M4 5h12v8H9l-4 3v-3H4zM19 9h1v8h-1v3l-4-3h-4"
        case .questionnaire: "M6 3h12v18H6zM9 8h6M9 12h6M9 16h3"
        case .survey: "M4 6l1.500 1.500L8 5M4 12l1.500 1.500L8 11M4 18l1.500 1.500L8 17M11 6h9M11 12h9M11 18h9"
        case .message: "M4 5h16v11h-9l-4 4v-4H4zM8 9h8M8 12h5"
        case .microsurvey:
            "M12 3l2.700 5.700 6.300.8-4.600 4.300 1.200 6.200L12 17l-5.600 3 1.200-6.200L3 9.500l6.300-.8z"
        }
    }
}
