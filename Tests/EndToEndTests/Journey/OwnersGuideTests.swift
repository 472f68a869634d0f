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

    /// Blocks of commands, each with what stands behind it; without the start of the daemon.
    private func steps() -> [Step] {
        var steps: [Step] = []
        for block in Guide("owners-guide.md").blocks {
            if block.language == "sh" { steps.append(Step(commands: block.text)) }
            if block.language.isEmpty, !steps.isEmpty { steps[steps.count - 1].output += block.text }
        }
        return Array(steps.dropFirst().prefix { !$0.commands.hasPrefix("send()") })
    }

    @Test func `Each block of commands prints the block behind it`() throws {
        let daemon = try Daemon()
        let steps = steps()
        #expect(steps.count == 7)
        let folder = try TemporaryDirectory()
        let mark = "=== next ==="
        let program = URL(fileURLWithPath: BellwetherProgram.path).deletingLastPathComponent().path
        let script =
            "cd \(folder.path)\nPATH=\(program):$PATH\nexport BELLWETHER_URL=http://127.0.0.1:\(daemon.port)\n"
            + steps.map(\.commands).joined(separator: "\necho '\(mark)'\n")
            .replacing("http://127.0.0.1:8080", with: "http://127.0.0.1:\(daemon.port)")
        let result = try Command.run(["bash", "-uc", script])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        let outputs = result.output.components(separatedBy: mark)
        try #require(outputs.count == steps.count)
        for (step, output) in zip(steps, outputs) {
            #expect(ShownOutput(step.output).matches(output), "\(step.commands)\(output)")
        }
    }
}
