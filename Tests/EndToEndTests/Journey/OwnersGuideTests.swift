import Foundation
import TestSupport
import Testing

/// The owner's guide prints what it says, from its first file until its recipe is live. What follows takes hundreds of
/// clients.
@Suite struct OwnersGuideTests {
    private struct Step {
        let commands: String
        var output = ""
    }

    /// Blocks of commands, each with what stands behind it; without those before the first file.
    private func steps() -> [Step] {
        var steps: [Step] = []
        for block in Guide("owners-guide.md").blocks {
            if block.language == "sh" { steps.append(Step(commands: block.text)) }
            if block.language.isEmpty, !steps.isEmpty { steps[steps.count - 1].output += block.text }
        }
        let beginning = steps.drop { !$0.commands.contains("manifest.json") }
        return Array(beginning.prefix { !$0.commands.hasPrefix("use ") })
    }

    @Test func `Each block of commands prints the block behind it`() throws {
        let daemon = try Daemon()
        let steps = steps()
        #expect(steps.count == 7)
        let folder = try TemporaryDirectory()
        let mark = "=== next ==="
        let program = URL(fileURLWithPath: BellwetherProgram.path).deletingLastPathComponent().path
        let preparation = """
            cd \(folder.path); CLONE=\(Repository.path); PATH=\(program):$PATH
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
