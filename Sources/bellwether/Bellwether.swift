internal import ArgumentParser

/// The program: one command a file.
@main
struct Bellwether: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bellwether",
        abstract: "Decides which message or survey each client of an app may see now, and records every answer once.",
        version: Version.text,
        subcommands: [
            Serve.self, Check.self, Explain.self, EvaluateExpression.self, Bucket.self, Size.self, ShowResults.self,
            Export.self, Backup.self, Restore.self,
            TokenCommand.self, AuditCommand.self,
        ])
}

enum Version {
    static let text = "0.1.0"
}
