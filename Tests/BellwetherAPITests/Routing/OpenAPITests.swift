import BellwetherService
import Foundation
import HTTPWire
import Testing

@testable import BellwetherAPI

/// `docs/openapi.yaml` describes exactly the routes of the daemon.
@Suite struct OpenAPITests {
    /// An operation of the document: its method and path, its tag, the abilities that permit it, and whether it needs
    /// no token.
    private struct Operation: Hashable {
        let name: String
        var tag = ""
        /// The abilities, of which one is enough.
        var abilities: [String] = []
        var isOpen = false
        var tellsOfLimits = false
    }

    /// The operations of the document. They are read by their indentation: paths are at 2, methods at 4, their members
    /// at 6.
    private static let operations: [Operation] = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = (try? String(contentsOf: root.appending(path: "docs/openapi.yaml"), encoding: .utf8)) ?? ""
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let paths = lines.drop { $0 != "paths:" }.dropFirst().prefix { $0.isEmpty || $0.hasPrefix(" ") }
        var operations: [Operation] = []
        var path = ""
        for line in paths {
            let text = line.drop { $0 == " " }
            switch line.count - text.count {
            case 2 where text.hasPrefix("/"): path = String(text.dropLast())
            case 4 where ["get:", "put:", "post:", "delete:", "patch:", "head:"].contains(text):
                operations.append(Operation(name: "\(text.dropLast().uppercased()) \(path)"))
            case 6 where text.hasPrefix("tags: ["):
                operations[operations.count - 1].tag = String(text.dropFirst(7).dropLast())
            case 6 where text.hasPrefix("x-abilities: ["):
                operations[operations.count - 1].abilities = text.dropFirst(14).dropLast().split(separator: ", ").map(
                    String.init)
            case 6 where text == "security: []": operations[operations.count - 1].isOpen = true
            case 10 where text.hasSuffix("responses/TooManyRequests'"):
                operations[operations.count - 1].tellsOfLimits = true
            default: break
            }
        }
        return operations
    }()

    @Test func `Every route is described, and every description is a route`() {
        let routes = Routes.all.map { "\($0.method.name) \($0.pattern)" }
        #expect(Set(routes).count == routes.count)
        #expect(Set(Self.operations.map(\.name)) == Set(routes))
        #expect(Self.operations.count == routes.count)
    }

    @Test(arguments: Routes.all.indices)
    func `A route's abilities, and its tag, are described`(_ index: Int) throws {
        let route = Routes.all[index]
        #expect(route.position == index)
        let operation = try #require(Self.operations.first { $0.name == "\(route.method.name) \(route.pattern)" })
        switch route.access {
        case .open: #expect(operation.isOpen && operation.tag == "operations")
        case .signIn: #expect(operation.isOpen && operation.tag == "people")
        case .abilities(let abilities):
            let tag = route.pattern.hasPrefix("/v1/session") ? "people" : Self.tag(of: abilities[0])
            #expect(!operation.isOpen && operation.tag == tag)
            #expect(operation.abilities == abilities.map(\.rawValue))
        case .interface:
            #expect(!operation.isOpen && operation.tag == "clients" && operation.abilities == ["participate"])
        }
        #expect(operation.tellsOfLimits == (route.access != .open), "429")
        #expect(route.body != .owner || operation.tag == "owners")
    }

    private static func tag(of ability: Ability) -> String {
        switch ability {
        case .participate: "clients"
        case .read, .texts, .respond, .publish, .review: "owners"
        case .log: "pipelines"
        case .admin: "admins"
        }
    }
}
