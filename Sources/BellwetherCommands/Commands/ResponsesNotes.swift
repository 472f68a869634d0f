internal import ArgumentParser
internal import BellwetherJSON

extension ResponsesCommand {
    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete a response: it is gone for good after 7 days.",
            discussion: "Its respondent may answer again. The audit tells of it.")

        @OptionGroup var remote: RemoteAppOptions

        @Argument(help: ArgumentHelp("The response's id.", valueName: "response"))
        var id: String

        func run() throws {
            let (daemon, app) = try remote.target()
            try daemon.send(RemoteRequest("DELETE", "v1", "apps", app, "responses", id))
        }
    }

    struct Notes: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the comments on a response, change one, or delete one.",
            discussion: """
                A comment is added by "responses comment". Only its author changes a comment, and only its author or an \
                admin deletes it.
                """)

        @Option(help: ArgumentHelp("Change the comment of this id.", valueName: "comment"))
        var change: String?

        @Option(help: ArgumentHelp("Delete the comment of this id.", valueName: "comment"))
        var delete: String?

        @Flag(help: "The comments themselves, a JSON object a line.")
        var json = false

        @OptionGroup var remote: RemoteAppOptions

        @Argument(help: ArgumentHelp("The response's id.", valueName: "response"))
        var id: String

        @Argument(help: "With --change: the comment from now on.")
        var text: String?

        func validate() throws {
            if change != nil, delete != nil { throw ValidationError("Give --change or --delete.") }
            if (change == nil) != (text == nil) { throw ValidationError("Give --change with the comment's new text.") }
        }

        func run() throws {
            let (daemon, app) = try remote.target()
            if let change {
                let body: JSONValue = ["body": .string(text ?? "")]
                try daemon.send(RemoteRequest("PATCH", "v1", "apps", app, "comments", change).with(json: body))
            }
            if let delete { try daemon.send(RemoteRequest("DELETE", "v1", "apps", app, "comments", delete)) }
            let response = try daemon.json(RemoteRequest("GET", "v1", "apps", app, "responses", id))
            let comments = response.object?["comments"]?.array ?? []
            try TextTable(columns: ["id", "author", "created_at", "body"], rows: comments).print(asJSON: json)
        }
    }
}
