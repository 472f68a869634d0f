import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// `bellwether man`: the structure of its pages in mdoc(7), which also pass `mandoc -Tlint`.
@Suite struct ManualCommandTests {
    /// The macros of a page, in order, each with its arguments.
    private static func macros(_ text: String) -> [(name: String, arguments: String)] {
        text.split(separator: "\n").filter { $0.hasPrefix(".") }.map { line in
            let parts = line.dropFirst().split(separator: " ", maxSplits: 1).map(String.init)
            return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
        }
    }

    @Test(arguments: ProgramCommands.all)
    func `Every command has a page that is well made`(_ command: ProgramCommands.Entry) throws {
        let page = try Command.run([BellwetherProgram.path, "man"] + command.path)
        #expect(page.status == 0 && page.errors == "")
        let macros = Self.macros(page.output)
        let name = (["bellwether"] + command.path).joined(separator: "-")
        #expect(macros.prefix(3).map(\.name) == ["Dd", "Dt", "Os"])
        #expect(macros[1].arguments == "\(name.uppercased()) 1")
        let sections = macros.filter { $0.name == "Sh" }.map(\.arguments)
        let order = ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "ENVIRONMENT", "EXIT STATUS", "SEE ALSO"]
        #expect(sections == order.filter { sections.contains($0) })
        #expect(sections.contains("COMMANDS") == !command.isLeaf)
        #expect(macros.contains { $0.name == "Nm" && $0.arguments == name })
        #expect(macros.count { $0.name == "Bl" } == macros.count { $0.name == "El" })
        let known: Set = ["Dd", "Dt", "Os", "Sh", "Nm", "Nd", "Op", "Ar", "Fl", "Pp", "Bl", "It", "El", "Xr"]
        #expect(Set(macros.map(\.name)).isSubset(of: known))
        // Each option occurs once, with its text.
        for argument in command.arguments {
            let option = argument["preferredName"]["name"].string.map { "Fl \\-\($0.replacing("-", with: "\\-"))" }
            let item = option ?? "Ar \(argument["valueName"].string ?? "?")"
            let items = macros.filter { macro in macro.name == "It" && "\(macro.arguments) ".contains("\(item) ") }
            #expect(items.count == 1, "\(item)")
        }
        for line in page.output.split(separator: "\n") {
            #expect(line.utf8.count <= 80 || line.hasPrefix("."), "\(line)")
            #expect(line.utf8.allSatisfy { (0x20...0x7E).contains($0) } && line.last != " ", "\(line)")
            #expect(!line.hasPrefix("'"))
        }
    }

    @Test func `All pages go into a folder`() throws {
        let folder = try TemporaryDirectory()
        let result = try Command.bellwether("man", "--output", folder.path + "/man1")
        #expect(result.status == 0 && result.lines.count == ProgramCommands.all.count)
        for command in ProgramCommands.all {
            let name = (["bellwether"] + command.path).joined(separator: "-") + ".1"
            let file = try String(contentsOfFile: folder.path + "/man1/" + name, encoding: .utf8)
            #expect(try Command.run([BellwetherProgram.path, "man"] + command.path).output == file)
        }
    }

    @Test func `The settings are there as the environment has them`() throws {
        let page = try Command.bellwether("man", "serve").output
        #expect(page.contains(".It Ev BELLWETHER_HTTP_PORT\n") && page.contains(".It Ev BELLWETHER_PUBLIC\n"))
        #expect(try Command.bellwether("man", "tail").output.contains(".It Ev BELLWETHER_TOKEN\n"))
        #expect(try !Command.bellwether("man", "jexl").output.contains("BELLWETHER_TOKEN"))
    }

    @Test func `What is no command has no page`() throws {
        let result = try Command.bellwether("man", "token", "steal")
        #expect(result.status == 64 && result.output == "")
        #expect(try Command.bellwether("man", "--output", "/dev/null/x").status == 1)
        #expect(try Command.bellwether("man", "push", "--output", "x").status == 64)
    }
}
