internal import ArgumentParser
internal import BellwetherCommands
internal import FoundationEssentials

/// `bellwether man`: manual pages, made from the commands' own descriptions.
struct Manual: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "man", abstract: "Print the manual page of a command.",
        discussion: """
            Pages are mdoc(7). To read one: bellwether man push | man -l -. With --output all pages are written into a \
            folder, for `man` to find: bellwether man --output /usr/local/share/man/man1.
            """)

    @Option(
        help: ArgumentHelp("Write the pages of all commands into this folder.", valueName: "dir"),
        completion: .directory)
    var output: String?

    @Argument(help: "The command, such as token create. Default: the program itself.")
    var command: [String] = []

    func validate() throws {
        if output != nil, !command.isEmpty { throw ValidationError("Give a command or --output.") }
    }

    func run() throws {
        guard let program = CommandDescription.of(Bellwether.self) else {
            StandardError.write("The commands do not describe themselves.")
            throw ExitCode(1)
        }
        if let output { return try write(program, to: output) }
        guard let asked = program.command(command[...]) else {
            throw ValidationError("There is no command \(command.joined(separator: " ")).")
        }
        var text = Array(ManualPage(command: asked, program: program).text.utf8)
        try StandardOutput.write(&text)
    }

    private func write(_ program: CommandDescription, to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for command in program.all {
            let page = ManualPage(command: command, program: program)
            let path = folder + "/" + page.fileName
            try Data(page.text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            try StandardOutput.writeLine(path)
        }
    }
}
