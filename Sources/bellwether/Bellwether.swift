internal import ArgumentParser
internal import BellwetherCommands
internal import BellwetherJSON
internal import PostgresStore
internal import SQLiteStore

/// The program. Each command has its own file.
@main
struct Bellwether: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bellwether",
        abstract: "Decides which message or survey each client of an app may see now, and records every answer once.",
        version: Version.lines,
        subcommands: [
            Serve.self, Try.self, Status.self, Check.self, Push.self, Explain.self, Size.self, Sizing.self,
            ShowResults.self,
            ResponsesCommand.self,
            RecipesCommand.self,
            PreviewCommand.self, WebhooksCommand.self, Tail.self, Export.self,
            Backup.self, Restore.self, Move.self, Migrate.self, TokenCommand.self, UserCommand.self, AuditCommand.self,
            EvaluateExpression.self, SchemaCommand.self, Bucket.self,
            ConditionCommand.self, GoalsCommand.self,
            SurveyCommand.self, FlowCommand.self, StringsCommand.self,
            MCPCommand.self,
            Completions.self, Manual.self,
        ])
}

extension Version {
    /// The schema version of each kind of store (docs/reference/http-api.md#the-schema).
    private static let schemas = [("sqlite", SQLiteLocation.schema), ("postgresql", PostgresLocation.schema)]

    /// The version, and lines with the commit and the schemas.
    static var lines: String {
        let schemas = schemas.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return "\(text)\ncommit \(commit ?? "unknown")\nschema \(schemas)"
    }

    /// The commit and the schemas, for `/__version__`.
    static var build: JSONObject {
        let schemas = schemas.map { (key: $0.0, value: JSONValue.integer($0.1)) }
        return ["commit": commit.map { .string($0) } ?? .null, "schema": .object(JSONObject(schemas))]
    }
}
