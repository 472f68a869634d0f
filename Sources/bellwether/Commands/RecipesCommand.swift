internal import ArgumentParser
internal import BellwetherJSON

/// `bellwether recipes`: what an app has, and what becomes of it (docs/reference/http-api.md#recipes).
struct RecipesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recipes", abstract: "List an app's recipes, and pause, resume, end or delete one.",
        discussion: "Needs a token of scope owner; to list and show, one of scope reader will do.",
        subcommands: [List.self, Show.self, Pause.self, Resume.self, End.self, Delete.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the recipes, ordered by slug.")

        enum State: String, ExpressibleByArgument, CaseIterable {
            case draft, live, paused, ended
        }

        enum Kind: String, ExpressibleByArgument, CaseIterable {
            case experiment, rollout, messages, questionnaire, survey, flow
        }

        @Option(help: "Only those in this state.")
        var state: State?

        @Option(help: "Only those of this kind.")
        var kind: Kind?

        @Option(help: "Only those with a message on this surface.")
        var surface: String?

        @Option(help: ArgumentHelp("Only those with this text in slug, name or a message's key.", valueName: "text"))
        var search: String?

        @Flag(help: "Also how many have started and submitted, and when the newest was.")
        var counts = false

        @Flag(help: "The recipes themselves, a JSON object a line.")
        var json = false

        @OptionGroup var remote: RemoteAppOptions

        func run() throws {
            let (daemon, app) = try remote.target()
            let answer = try daemon.json(
                RemoteRequest("GET", "v1", "apps", app, "recipes").with("counts", counts ? "true" : nil))
            let recipes = (answer.object?["recipes"]?.array ?? []).filter(isMeant)
            if json { return try TextTable(columns: [], rows: recipes).print(asJSON: true) }
            let columns = ["slug", "name", "kind", "state", "revision", "draft_revision", "published_at", "author"]
            let counted = ["started", "submitted", "last_at"]
            try TextTable(columns: columns + (counts ? counted : []), rows: recipes.map { Self.row($0, counted) })
                .print(asJSON: false)
        }

        private func isMeant(_ recipe: JSONValue) -> Bool {
            let recipe = recipe.object ?? [:]
            if let state, recipe["state"]?.string != state.rawValue { return false }
            if let kind, recipe["kind"]?.string != kind.rawValue { return false }
            if let surface, recipe["surfaces"]?.array?.contains(.string(surface)) != true { return false }
            guard let search = search?.lowercased() else { return true }
            let texts = [recipe["slug"], recipe["name"]].compactMap(\.self) + (recipe["keys"]?.array ?? [])
            return texts.contains { $0.string?.lowercased().contains(search) == true }
        }

        /// With the counts beside the other members.
        private static func row(_ recipe: JSONValue, _ counted: [String]) -> JSONValue {
            var row = recipe.object ?? [:]
            for name in counted { row[name] = row["counts"]?.object?[name] }
            return .object(row)
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a recipe's document as its author wrote it.")

        enum Version: String, ExpressibleByArgument, CaseIterable {
            case live, draft
        }

        @Option(help: "The revision in force, or the draft; by default the newest.")
        var state: Version?

        @OptionGroup var remote: RemoteAppOptions

        @Argument(help: "The recipe.")
        var slug: String

        func run() throws {
            let (daemon, app) = try remote.target()
            let request = RemoteRequest("GET", "v1", "apps", app, "recipes", slug).with("state", state?.rawValue)
            var document = try daemon.send(request).body
            if document.last != 0x0A { document.append(0x0A) }
            try StandardOutput.write(&document, .data)
        }
    }

    struct Pause: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Pause a live recipe: nothing of it is offered, until it is resumed.")

        @OptionGroup var change: StateChange

        func run() throws { try change.put("paused") }
    }

    struct Resume: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put a paused recipe live again, or a draft live.")

        @OptionGroup var change: StateChange

        func run() throws { try change.put("live") }
    }

    struct End: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "End a recipe for good; its results stay.")

        @OptionGroup var change: StateChange

        func run() throws { try change.put("ended") }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete a recipe; its responses and results stay.")

        @OptionGroup var remote: RemoteAppOptions

        @Argument(help: "The recipe.")
        var slug: String

        func run() throws {
            let (daemon, app) = try remote.target()
            try daemon.send(RemoteRequest("DELETE", "v1", "apps", app, "recipes", slug))
        }
    }
}

/// A change of a recipe's state.
struct StateChange: ParsableArguments {
    @Flag(help: "The daemon's answer as JSON.")
    var json = false

    @OptionGroup var remote: RemoteAppOptions

    @Argument(help: "The recipe.")
    var slug: String

    func put(_ state: String) throws {
        let (daemon, app) = try remote.target()
        let request = RemoteRequest("POST", "v1", "apps", app, "recipes", slug, "state")
            .with(json: ["state": .string(state)])
        let answer = try daemon.json(request)
        let text = "\(slug): \(answer.object?["state"]?.string ?? state)".plain
        try StandardOutput.writeLine(json ? answer.text : text)
    }
}
