import Foundation
import TestSupport
import Testing

/// What a page for those who come from another system prints, its commands print, on a daemon of its own.
@Suite struct ComingFromTests {
    @Test(arguments: ["owlmetry.md"])
    func `Each block of commands prints the block behind it`(_ page: String) throws {
        var steps: [(commands: String, output: String)] = []
        for block in Guide("coming-from/" + page).blocks {
            if block.language == "sh" { steps.append((block.text, "")) }
            if block.language.isEmpty, !steps.isEmpty { steps[steps.count - 1].output += block.text }
        }
        #expect(steps.count >= 2)
        let daemon = try Daemon()
        let folder = try TemporaryDirectory()
        let mark = "=== next ==="
        let program = URL(fileURLWithPath: BellwetherProgram.path).deletingLastPathComponent().path
        let preparation = """
            cd \(folder.path); PATH=\(program):$PATH
            export BELLWETHER_URL=http://127.0.0.1:\(daemon.port)

            """
        let commands = steps.map(\.commands).joined(separator: "\necho '\(mark)'\n")
        let script = preparation + commands.replacing(":8080", with: ":\(daemon.port)")
        let result = try Command.run(["bash", "-uc", script])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        let outputs = result.output.components(separatedBy: mark)
        try #require(outputs.count == steps.count)
        for (step, output) in zip(steps, outputs) {
            #expect(ShownOutput(step.output).matches(output), "\(step.commands)\(output)")
        }
    }
}
