internal import ArgumentParser
internal import BellwetherCommands

/// The program. Each command has its own file.
@main
struct Bellwether: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bellwether",
        abstract: "Decides which message or survey each client of an app may see now, and records every answer once.",
        version: Version.text,
        subcommands: [
            Serve.self, Check.self, Push.self, Explain.self, Size.self, ShowResults.self, ResponsesCommand.self,
            RecipesCommand.self,
            PreviewCommand.self, WebhooksCommand.self, Tail.self, Export.self,
            Backup.self, Restore.self, Move.self, Migrate.self, TokenCommand.self, AuditCommand.self,
            EvaluateExpression.self, SchemaCommand.self, Bucket.self,
            ConditionCommand.self,
            SurveyCommand.self, FlowCommand.self, StringsCommand.self,
            MCPCommand.self,
            Completions.self, Manual.self,
        ])
}
