import Foundation
import TestSupport
import Testing

/// The owner's guide prints the shown output, from its first file until its recipe is live, and in its chapters on
/// questionnaires, flows and features. The part in between needs hundreds of clients.
@Suite struct OwnersGuideTests {
    private struct Step {
        let commands: String
        var output = ""
    }

    /// The blocks of commands, each with the output block that follows it.
    private static let steps: [Step] = {
        var steps: [Step] = []
        for block in Guide("owners-guide.md").blocks {
            if block.language == "sh" { steps.append(Step(commands: block.text)) }
            if block.language.isEmpty, !steps.isEmpty { steps[steps.count - 1].output += block.text }
        }
        return steps
    }()

    @Test func `Each block of commands prints the block behind it`() throws {
        let beginning = Self.steps.drop { !$0.commands.contains("manifest.json") }
        let steps = Array(beginning.prefix { !$0.commands.hasPrefix("use ") })
        #expect(steps.count == 7)
        try expectOutputs(of: steps)
    }

    @Test func `The chapter on features prints what it says`() throws {
        let steps = Array(Self.steps.drop { !$0.commands.contains("apps/acorn-web/manifest.json") })
        #expect(steps.count == 4)
        try expectOutputs(of: steps)
    }

    @Test func `The chapter on questionnaires prints what it says`() throws {
        let beginning = Self.steps.drop { !$0.commands.contains("apps/acorn-pro/manifest.json") }
        let steps = Array(beginning.prefix { !$0.commands.contains("apps/acorn-web/manifest.json") })
        #expect(steps.count == 7)
        try expectOutputs(of: steps)
    }

    @Test func `The chapter on flows prints what it says`() throws {
        let beginning = Self.steps.drop { !$0.commands.contains("apps/acorn-desk/manifest.json") }
        let steps = Array(beginning.prefix { !$0.commands.contains("apps/acorn-pro/manifest.json") })
        #expect(steps.count == 5)
        try expectOutputs(of: steps)
    }

    private func expectOutputs(of steps: [Step]) throws {
        let daemon = try Daemon()
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
