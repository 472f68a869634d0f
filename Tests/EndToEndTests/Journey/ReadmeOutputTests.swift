import Foundation
import TestSupport
import Testing

/// The README's commands print the output that the README shows.
@Suite struct ReadmeOutputTests {
    private struct Step {
        var commands = ""
        var output = ""
    }

    /// The `sh` blocks of "See it work", each with the `json` block behind it.
    private func steps() throws -> [Step] {
        let text = try String(contentsOfFile: Repository.path + "/README.md", encoding: .utf8)
        let section = text.components(separatedBy: "\n## ").first { $0.hasPrefix("See it work") } ?? ""
        var steps: [Step] = []
        for block in section.components(separatedBy: "\n```") {
            if block.hasPrefix("sh\n") { steps.append(Step(commands: String(block.dropFirst(3)))) }
            if block.hasPrefix("json\n"), !steps.isEmpty { steps[steps.count - 1].output += block.dropFirst(5) }
        }
        return steps
    }

    @Test func `Each block of commands prints the block behind it`() throws {
        let daemon = try Daemon(["--dev", "--apps", Repository.apps, "--recipes", Repository.recipes])
        let steps = try steps()
        #expect(steps.count == 6)
        let mark = "=== next ==="
        let script = steps.map(\.commands).joined(separator: "\necho; echo '\(mark)'\n")
            .replacingOccurrences(of: "127.0.0.1:8080", with: "127.0.0.1:\(daemon.port)")
            .replacingOccurrences(of: "curl ", with: "curl --silent --show-error ")
        let result = try Command.run(["bash", "-euc", script])
        #expect(result.errors.isEmpty)
        let outputs = result.output.components(separatedBy: mark)
        try #require(outputs.count == steps.count)
        for (step, output) in zip(steps, outputs) {
            #expect(ShownOutput(step.output).matches(output), "\(step.commands)\(output)")
        }
    }

    /// The rows of "Work with it" that run the program: it finds no fault in the repository.
    @Test func `The commands in the table succeed`() throws {
        let program = ".build/debug/bellwether"
        let text = try String(contentsOfFile: Repository.path + "/README.md", encoding: .utf8)
        let commands = text.components(separatedBy: "\n").filter { $0.hasPrefix("| `\(program)") }
            .map { String($0.components(separatedBy: "`")[1].dropFirst(program.count)) }
        #expect(commands.count == 2)
        for command in commands {
            let script = "cd '\(Repository.path)' && '\(BellwetherProgram.path)'\(command)"
            let result = try Command.run(["bash", "-euc", script])
            #expect(result.status == 0, "\(command): \(result.output)\(result.errors)")
        }
    }
}
