import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// The names in the guides exist: settings, routes, metrics, alarms, files.
@Suite struct GuideNameTests {
    private static func file(_ path: String) throws -> String {
        try String(contentsOfFile: Repository.path + "/" + path, encoding: .utf8)
    }

    /// The settings in the manual page of `serve`, which is generated from their table.
    private static func settings() throws -> Set<String> {
        let page = try Command.bellwether("man", "serve").output
        return Set(page.matches(of: /The setting ([a-z_.]+)\.\n/).map { String($0.output.1) })
    }

    @Test(arguments: Guide.all)
    func `Every setting is one`(_ guide: Guide) throws {
        let settings = try Self.settings()
        #expect(settings.count > 40 && settings.contains("limits.rate.client_burst"))
        let files = ["md", "yaml", "json", "sqlite", "service"]
        for span in guide.spans {
            if span.wholeMatch(of: /[a-z_]+(\.[a-z_]+)+/) != nil, !files.contains(where: { span.hasSuffix("." + $0) }) {
                #expect(settings.contains(span), "\(span)")
            }
            if let match = span.prefixMatch(of: #/([a-z_.]+): /#) {
                #expect(settings.contains(String(match.output.1)), "\(span)")
            }
        }
        let variables = Set(settings.map { "BELLWETHER_" + $0.uppercased().replacing(".", with: "_") })
        for match in (guide.prose + guide.scripts.joined()).matches(of: /BELLWETHER_[A-Z_]+/) {
            let name = String(match.output)
            #expect(variables.contains(name) || ["BELLWETHER_URL", "BELLWETHER_TOKEN"].contains(name), "\(name)")
        }
    }

    /// Whether a path matches a route's pattern; a name in braces matches any part.
    private static func matches(_ path: String, _ pattern: String) -> Bool {
        let parts = path.components(separatedBy: "/")
        let places = pattern.components(separatedBy: "/")
        return parts.count == places.count && zip(parts, places).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
    }

    @Test(arguments: Guide.all)
    func `Every route in the text is one`(_ guide: Guide) throws {
        let routes = try RouteAccess.described()
        let paths = Set(routes.map { $0.split(separator: " ")[1] })
        for match in guide.prose.matches(of: #/(GET|PUT|POST|DELETE) (/[^\s`?]+)/#) {
            #expect(routes.contains("\(match.output.1) \(match.output.2)"), "\(match.output.0)")
        }
        for span in guide.spans where span.contains(#/^/(v1|v2|__|metrics|submit)/#) {
            let beginning = span.prefix { $0 != "…" }
            let isKnown = span.contains("…") ? paths.contains { $0.hasPrefix(beginning) } : paths.contains(span[...])
            #expect(isKnown, "\(span)")
        }
    }

    @Test(arguments: Guide.all)
    func `Every route that curl asks is one`(_ guide: Guide) throws {
        let routes = try RouteAccess.described()
        let lines = guide.scripts.joined().split(separator: "\n")
        var count = 0
        for line in lines where line.contains("curl ") && !line.contains("$(url") {
            guard let match = line.firstMatch(of: #/(?:\$API|http://127\.0\.0\.1:8080)(/[^"\s?]*)/#) else { continue }
            let path = match.output.0.hasPrefix("$API") ? "/v1/apps/acorn" + match.output.1 : String(match.output.1)
            let method =
                line.firstMatch(of: /-X ([A-Z]+)/).map { String($0.output.1) }
                ?? (line.contains("--json") ? "POST" : "GET")
            let isKnown = routes.contains { $0.hasPrefix(method + " ") && Self.matches("\(method) \(path)", $0) }
            #expect(isKnown, "\(method) \(path)")
            count += 1
        }
        #expect(count >= 2)
    }

    @Test(arguments: Guide.all)
    func `Every metric and every alarm is one`(_ guide: Guide) throws {
        let metrics = try Self.file("docs/metrics.md")
        for match in guide.prose.matches(of: /`(bellwether_[a-z_]+)/) {
            #expect(metrics.contains("| `\(match.output.1)` |"), "\(match.output.1)")
        }
        let alarms = try Self.file("deploy/alarms.yaml")
        for match in guide.prose.matches(of: /`(Bellwether[A-Z][A-Za-z]+)`/) {
            #expect(alarms.contains("alert: \(match.output.1)\n"), "\(match.output.1)")
        }
    }

    @Test(arguments: Guide.all)
    func `Every file that a guide points to is there`(_ guide: Guide) {
        #expect(guide.links.count >= 3)
        for link in guide.links {
            #expect(FileManager.default.fileExists(atPath: Repository.path + "/docs/" + link), "\(link)")
        }
    }
}
