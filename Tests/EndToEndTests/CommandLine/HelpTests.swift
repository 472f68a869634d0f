import BellwetherJSON
import TestSupport
import Testing

/// The help of every command.
@Suite struct HelpTests {
    @Test func `There are these commands`() {
        #expect(
            Set(ProgramCommands.all.filter(\.isLeaf).map(\.testDescription)) == [
                "serve", "try", "status", "check", "push", "explain", "size", "sizing", "results", "responses list",
                "responses show",
                "responses status", "responses comment", "responses notes", "responses delete", "responses export",
                "responses import", "recipes list", "recipes show", "recipes pause", "recipes resume", "recipes end",
                "recipes delete", "recipes note", "preview", "webhooks",
                "tail", "export",
                "token create",
                "backup", "restore", "move", "migrate", "token list", "token revoke", "token hash", "user add",
                "user list", "user link", "user remove", "audit list",
                "audit verify",
                "audit digest", "jexl", "schema", "bucket", "condition batch", "goals batch", "survey evaluate",
                "survey batch",
                "survey import",
                "survey export", "strings import", "flow batch", "mcp", "completions",
                "man",
            ])
    }

    @Test(arguments: ProgramCommands.all)
    func `Every command has help, and every argument a sentence`(_ command: ProgramCommands.Entry) throws {
        let help = try Command.run([BellwetherProgram.path] + command.path + ["--help"])
        #expect(help.status == 0 && help.errors == "")
        #expect(help.output.hasPrefix("OVERVIEW: ") && help.output.contains("\nUSAGE: bellwether"))
        #expect(!help.output.contains("\u{1B}"))
        #expect(command.abstract.hasSuffix(".") && command.abstract.first?.isUppercase == true)
        for argument in command.arguments {
            let sentence = argument["abstract"].string ?? ""
            #expect(sentence.hasSuffix(".") && sentence.first?.isUppercase == true, "\(argument["valueName"])")
        }
    }

    @Test(arguments: ProgramCommands.all)
    func `An option that is not known is a wrong use`(_ command: ProgramCommands.Entry) throws {
        let result = try Command.run([BellwetherProgram.path] + command.path + ["--no-such-option"])
        #expect(result.status == 64 && result.output == "" && result.errors.contains("Usage: "))
    }

    /// The commands that print text for people have --json.
    @Test(arguments: ProgramCommands.all.filter(\.isLeaf))
    func `There is --json beside every table`(_ command: ProgramCommands.Entry) {
        let hasJSON = command.arguments.contains { $0["preferredName"]["name"] == "json" }
        let prints = [
            "check", "push", "explain", "size", "sizing", "results", "responses list", "responses show",
            "responses status",
            "responses comment", "responses notes", "responses import", "recipes list", "recipes pause",
            "recipes resume", "recipes end", "recipes note", "preview", "webhooks", "tail", "strings import",
            "token create", "token list", "user list", "audit list", "audit verify", "backup", "restore",
            "move", "migrate", "status",
        ]
        #expect(hasJSON == prints.contains(command.testDescription))
    }
}
