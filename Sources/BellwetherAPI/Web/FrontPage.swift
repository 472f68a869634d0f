internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The page at the daemon's address: what the program is, its apps under `--dev`, and the way to the documents. Its
/// links are relative, so they also work behind a proxy that serves the daemon under a path.
struct FrontPage {
    static let all = [Endpoint(.get, "/", .open, handle: handle).admittingOtherSites]

    /// An app with the number of its live recipes.
    private struct App {
        let id: Identifier
        let name: String
        let live: Int
    }

    private let version: String
    private let apps: [App]
    private let isDevelopment: Bool

    @Sendable private static func handle(_ call: Call) -> Handling {
        let page = FrontPage(call)
        guard call.request.accepts("text/html") else {
            var response = Response(200, body: .bytes(Array(page.text.utf8)))
            response.add("Content-Type", "text/plain; charset=utf-8")
            response.add("Cache-Control", "no-cache")
            response.add("Vary", "Accept")
            return .now(response)
        }
        var response = page.html.response
        response.add("Vary", "Accept")
        return .now(response)
    }

    /// Only `--dev` shows the names of the apps to everyone.
    private init(_ call: Call) {
        version = call.services.version
        isDevelopment = call.worker.settings.isOpen
        let shown = isDevelopment ? Array(call.worker.snapshot.apps.values) : []
        apps = shown.sorted { $0.name < $1.name }.map { app in
            App(id: app.name, name: app.manifest.shortName, live: app.recipes.values.count(where: \.isLive))
        }
    }

    private static let purpose = """
        decides which in-app message, microsurvey, questionnaire, survey or onboarding flow each client of an app may \
        see now. It stores what each client has seen and answered, and delivers these records to your data pipeline.
        """

    private struct Door {
        let path: String
        let title: String
        let note: String
    }

    /// The first document of each reader.
    private static let guides = [
        Door(path: "docs/first-hour", title: "The first hour", note: "App developers: poll, report, ask, with curl"),
        Door(path: "docs/owners-guide", title: "The owner’s guide", note: "Owners of messages, surveys, experiments"),
        Door(path: "docs/web", title: "In the browser", note: "Web developers: the widget and hosted pages"),
        Door(path: "docs/operators-guide", title: "The operator’s guide", note: "Operators: install, secure, watch"),
        Door(path: "docs/reference/http-api", title: "The HTTP API", note: "Every route, its errors and limits"),
        Door(path: "docs/README", title: "All documents", note: "The reference, other systems, the architecture"),
    ]
    /// The addresses for programs.
    private static let files = [
        Door(path: "docs/openapi.yaml", title: "openapi.yaml", note: "the API, as OpenAPI"),
        Door(path: "llms.txt", title: "llms.txt", note: "the documents, for models"),
        Door(path: "metrics", title: "metrics", note: "counters for Prometheus"),
        Door(path: "__heartbeat__", title: "heartbeat", note: "the state of each part"),
    ]

    /// The page for a client that reads no HTML.
    private var text: String {
        let console = Door(path: "console", title: "", note: "for owners: what is live, and its changes")
        let doors = [console] + Self.guides + Self.files
        let width = doors.map(\.path.count).max() ?? 0
        let lines = doors.map { door in
            "/\(door.path)\(String(repeating: " ", count: width - door.path.count))  \(door.note)"
        }
        return (["Bellwether \(version)", "", "Bellwether " + Self.purpose, ""] + lines).map { $0 + "\n" }.joined()
    }

    private var html: PageHTML {
        var page = PageHTML(
            title: "Bellwether",
            body: """
                <a class="skip" href="#content">Skip to the page</a>
                <header class="bar"><a class="brand" href=".">\(Self.mark)Bellwether</a>
                <span class="version">\(PageHTML.escaped(version))</span>
                <a class="to" href="docs/README">Documents</a><a class="to" href="console">Console</a></header>
                <main class="front" id="content" tabindex="-1">
                \(opening)
                \(appList)
                <section aria-labelledby="guides"><h2 id="guides">Where to begin</h2>
                <ul class="doors">\(Self.guides.map(Self.card).joined(separator: "\n"))</ul></section>
                <section aria-labelledby="files"><h2 id="files">For programs</h2>
                <ul class="files">\(Self.files.map(Self.line).joined(separator: "\n"))</ul></section>
                </main>
                """)
        page.styleSheet = WebAsset.address(of: "docs.css")
        return page
    }

    private var opening: String {
        """
        <section class="opening"><div>
        <h1>In-app messages and surveys, decided on your server</h1>
        <p class="lead">Bellwether \(Self.purpose)</p>
        <p class="acts"><a class="act" href="console">Open the console</a>
        <a href="docs/first-hour">The first hour</a></p></div>
        \(Self.picture)</section>
        """
    }

    private var appList: String {
        guard isDevelopment else {
            return """
                <section aria-labelledby="apps"><h2 id="apps">Apps</h2>
                <p>The <a href="console">console</a> shows the apps of this daemon to whoever signs in.</p></section>
                """
        }
        let rows = apps.map { app in
            // An app's id can have any character but controls.
            let (id, path) = (PageHTML.escaped(app.id.text), PercentEncoding.queryValue(app.id.text))
            return """
                <li><h3>\(PageHTML.escaped(app.name))</h3><p><code>\(id)</code> · \(app.live) live</p>
                <p class="ways"><a href="sample/\(path)">Sample page<span class="hidden-text"> of \(id)</span></a>
                <a href="console/a/\(path)">Console<span class="hidden-text"> of \(id)</span></a></p></li>
                """
        }
        let empty = "<p>There is no app yet. <a href=\"docs/first-hour\">The first hour</a> makes one.</p>"
        return """
            <section aria-labelledby="apps"><h2 id="apps">Apps on this daemon</h2>
            \(rows.isEmpty ? empty : "<ul class=\"apps\">\(rows.joined(separator: "\n"))</ul>")</section>
            """
    }

    private static func card(_ door: Door) -> String {
        "<li><a href=\"\(door.path)\"><b>\(door.title)</b><span>\(door.note)</span></a></li>"
    }

    private static func line(_ door: Door) -> String {
        "<li><a href=\"\(door.path)\">\(door.title)</a> <span>\(door.note)</span></li>"
    }

    /// The logo: a wether's bell.
    private static let mark = """
        <svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M7 18V11a5 5 0 0 1 10 0v7M4.5 18h15M12 \
        6V3.5M10.5 21h3"/></svg>
        """

    /// A question over a page, and why it is shown: a drawing.
    private static let picture = """
        <svg class="picture" viewBox="0 0 400 300" aria-hidden="true">
        <rect class="page" x="8" y="8" width="384" height="284" rx="14"/>
        <path class="rule" d="M8 44h384"/><circle class="dot" cx="28" cy="26" r="5"/><circle class="dot" cx="46" cy="26" r="5"/>
        <rect class="word" x="32" y="68" width="150" height="12" rx="6"/>
        <rect class="word" x="32" y="94" width="220" height="8" rx="4"/><rect class="word" x="32" y="112" width="190" height="8" rx="4"/>
        <rect class="word" x="32" y="130" width="210" height="8" rx="4"/>
        <rect class="card" x="176" y="120" width="196" height="152" rx="12"/>
        <rect class="ink" x="194" y="140" width="128" height="10" rx="5"/><rect class="soft" x="194" y="158" width="92" height="8" rx="4"/>
        <rect class="choice" x="194" y="180" width="160" height="22" rx="6"/><circle class="ring" cx="208" cy="191" r="5"/>
        <rect class="choice on" x="194" y="208" width="160" height="22" rx="6"/><circle class="ring on" cx="208" cy="219" r="5"/>
        <rect class="button" x="282" y="240" width="72" height="20" rx="6"/>
        <path class="tick" d="M312 250l4 4 8-8"/></svg>
        """
}

extension Request {
    /// Whether `Accept` names a type, as a browser's request does `text/html`. A range such as `*/*`, which curl sends,
    /// does not name it.
    func accepts(_ type: String) -> Bool {
        let ranges = String(decoding: header(.accept) ?? [], as: UTF8.self).lowercased().split(separator: ",")
        return ranges.contains { range in
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            return parts.first == type && weight > 0
        }
    }
}
