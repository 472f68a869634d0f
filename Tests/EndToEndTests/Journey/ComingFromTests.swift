import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// The guides for users of other systems. Their commands print the shown output, from the first file to the last
/// response, and their links have targets.
@Suite struct ComingFromTests {
    private static let pages = ["appdna.md", "nimbus.md", "owlmetry.md", "surveynative.md"]

    /// The blocks of commands, each with the output block that follows it.
    private static func steps(_ guide: Guide) -> [(commands: String, output: String)] {
        var steps: [(commands: String, output: String)] = []
        for block in guide.blocks {
            if block.language == "sh" { steps.append((block.text, "")) }
            if block.language.isEmpty, !steps.isEmpty { steps[steps.count - 1].output += block.text }
        }
        return steps
    }

    @Test(arguments: pages)
    func `Each block of commands prints the block behind it`(_ page: String) throws {
        let steps = Self.steps(Guide("coming-from/" + page))
        #expect(steps.count >= 3)
        let daemon = try Daemon()
        let folder = try TemporaryDirectory()
        let mark = "=== next ==="
        let program = URL(fileURLWithPath: BellwetherProgram.path).deletingLastPathComponent().path
        let preparation = """
            cd \(folder.path); PATH=\(program):$PATH
            export BELLWETHER_URL=http://127.0.0.1:\(daemon.port) XDG_STATE_HOME=\(folder.path)/state

            """
        let commands = steps.map(\.commands).joined(separator: "\necho '\(mark)'\n")
        let script = preparation + "exec 2>&1\n" + commands.replacing(":8080", with: ":\(daemon.port)")
        let result = try Command.run(["bash", "-uc", script])
        let outputs = result.output.components(separatedBy: mark)
        try #require(outputs.count == steps.count, "\(result.output)")
        for (step, output) in zip(steps, outputs) {
            #expect(ShownOutput(step.output).matches(output), "\(step.commands)\(output)")
        }
    }

    @Test(arguments: pages)
    func `Every page and heading that is pointed to is there`(_ page: String) throws {
        let folder = Repository.path + "/docs/coming-from/"
        let text = try String(contentsOfFile: folder + page, encoding: .utf8)
        for match in text.matches(of: /\]\(([^)#:]+)(#[^)]+)?\)/) {
            let target = try String(contentsOfFile: folder + match.output.1, encoding: .utf8)
            guard let heading = match.output.2?.dropFirst() else { continue }
            let anchors = target.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
                line.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
                    .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            }
            #expect(anchors.contains(String(heading)), "\(match.output.0)")
        }
    }
}
