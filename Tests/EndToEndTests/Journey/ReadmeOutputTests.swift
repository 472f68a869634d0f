import Foundation
import TestSupport
import Testing

/// The commands of the README and of the first hour print the output that these pages show.
@Suite struct ReadmeOutputTests {
    private struct Step {
        var commands = ""
        var output = ""
    }

    /// The `sh` blocks of a page that have a `json` block behind them, each with it.
    private func steps(_ page: String) throws -> [Step] {
        let text = try String(contentsOfFile: Repository.path + "/" + page, encoding: .utf8)
        var steps: [Step] = []
        for block in text.components(separatedBy: "\n```") {
            if block.hasPrefix("sh\n") { steps.append(Step(commands: String(block.dropFirst(3)))) }
            if block.hasPrefix("json\n"), !steps.isEmpty { steps[steps.count - 1].output += block.dropFirst(5) }
        }
        return steps.filter { !$0.output.isEmpty }
    }

    @Test(arguments: [("README.md", 1), ("docs/first-hour.md", 6)])
    func `Each block of commands prints the block behind it`(page: String, count: Int) throws {
        let daemon = try Daemon(["--dev", "--apps", Repository.apps, "--recipes", Repository.recipes])
        let steps = try steps(page)
        #expect(steps.count == count)
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

    /// The commands of the first hour that need no daemon: the program finds no fault in the repository.
    @Test func `The commands in the table succeed`() throws {
        let program = ".build/debug/bellwether"
        let text = try String(contentsOfFile: Repository.path + "/docs/first-hour.md", encoding: .utf8)
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
