import BellwetherJSON
import TestSupport
import Testing

/// The commands of the program, from its own description. A new command is in every table at once.
enum ProgramCommands {
    struct Entry: CustomTestStringConvertible {
        let path: [String]
        let abstract: String
        let arguments: [JSONValue]
        let isLeaf: Bool

        var testDescription: String { path.joined(separator: " ") }
    }

    /// All commands, without the argument parser's own `help`.
    static let all: [Entry] = {
        let dump = try? Command.bellwether("--experimental-dump-help")
        guard let tree = try? JSONValue(parsing: dump?.output ?? "") else { return [] }
        return entries(tree["command"], below: nil)
    }()

    private static func entries(_ command: JSONValue, below parents: [String]?) -> [Entry] {
        // The program's own name is not part of the path.
        let path = parents.map { $0 + [command["commandName"].string ?? "?"] } ?? []
        let subcommands = (command["subcommands"].array ?? []).filter { $0["commandName"] != "help" }
        let entry = Entry(
            path: path, abstract: command["abstract"].string ?? "", arguments: command["arguments"].array ?? [],
            isLeaf: subcommands.isEmpty)
        return [entry] + subcommands.flatMap { entries($0, below: path) }
    }
}
