package import ArgumentParser
internal import BellwetherJSON

/// `bellwether recipes`: lists an app's recipes, and changes their states (docs/reference/http-api.md#recipes).
package struct RecipesCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "recipes", abstract: "List an app's recipes, and pause, resume, end or delete one.",
        discussion: "Needs a token of scope owner; to list and show, one of scope reader will do.",
        subcommands: [List.self, Show.self, Note.self, Pause.self, Resume.self, End.self, Delete.self])

    package init() {}

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

        @Option(help: "Only those that this person answers for.")
        var owner: String?

        @Option(help: "Only those with this label.")
        var label: String?

        @Flag(help: "Only those that are archived; they are in no other list.")
        var archived = false

        @Flag(help: "Also how many have started and submitted, and when the newest was.")
        var counts = false

        @Flag(help: "The recipes themselves, a JSON object a line.")
        var json = false

        @OptionGroup var remote: RemoteAppOptions

        func run() throws {
            let (daemon, app) = try remote.target()
            let answer = try daemon.json(
                RemoteRequest("GET", "v1", "apps", app, "recipes").with("counts", counts ? "true" : nil)
                    .with("owner", owner).with("label", label).with("archived", archived ? "true" : nil))
            let recipes = (answer.object?["recipes"]?.array ?? []).filter(isMeant)
            if json { return try TextTable(columns: [], rows: recipes).print(asJSON: true) }
            let columns = ["slug", "name", "kind", "state", "revision", "draft_revision", "published_at", "author"]
            let counted = ["started", "submitted", "last_at"]
            let noted = recipes.contains { $0.object?["owner"]?.string != nil } ? ["owner"] : []
            try TextTable(
                columns: columns + noted + (counts ? counted : []), rows: recipes.map { Self.row($0, counted) }
            )
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

        /// The row of a recipe, in which the counts are members.
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

    struct Note: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keep an owner and labels beside a recipe, or put an ended one away.",
            discussion: "What is not named stays. None of it is part of the document, or decides anything.")

        @Option(help: ArgumentHelp("Who answers for it; empty: nobody.", valueName: "name"))
        var owner: String?

        @Option(help: "A label, in place of those that it has; may be given again. Empty: none.")
        var label: [String] = []

        @Flag(inversion: .prefixedNo, help: "Put it away, out of the list; it has ended.")
        var archived: Bool?

        @Flag(help: "The daemon's answer as JSON.")
        var json = false

        @OptionGroup var remote: RemoteAppOptions

        @Argument(help: "The recipe.")
        var slug: String

        func run() throws {
            let (daemon, app) = try remote.target()
            var note: JSONObject = [:]
            if let owner { note["owner"] = owner.isEmpty ? .null : .string(owner) }
            if !label.isEmpty { note["labels"] = .array(label.filter { !$0.isEmpty }.map { .string($0) }) }
            if let archived { note["archived"] = .bool(archived) }
            let request = RemoteRequest("PATCH", "v1", "apps", app, "recipes", slug, "note")
                .with(json: .object(note))
            let answer = try daemon.json(request)
            if json { return try StandardOutput.writeLine(answer.text) }
            let kept = answer.object ?? [:]
            let labels = (kept["labels"]?.array ?? []).compactMap(\.string).joined(separator: ", ")
            let archivedText = kept["archived"]?.bool == true ? "; archived" : ""
            let owner = kept["owner"]?.string ?? "-"
            try StandardOutput.writeLine(
                "\(slug): owner \(owner); labels \(labels.isEmpty ? "-" : labels)\(archivedText)".plain)
        }
    }

    struct Pause: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Pause a live recipe: nothing of it is offered, until it is resumed.")

        @OptionGroup var change: StateChange

        func run() throws { try change.put("paused", change.revision) }
    }

    struct Resume: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put a paused recipe live again, or a draft by its revision.",
            discussion: "Without --revision the revision goes on that was live, and a draft stays a draft.")

        @OptionGroup var change: StateChange

        func run() throws { try change.put("live", try change.revision ?? change.inForce()) }
    }

    struct End: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "End a recipe for good; its results stay.")

        @OptionGroup var change: StateChange

        func run() throws { try change.put("ended", change.revision) }
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
            try StandardOutput.writeLine("\(slug): deleted".plain)
        }
    }
}

/// A change of a recipe's state.
struct StateChange: ParsableArguments {
    @Option(help: ArgumentHelp("The revision that is meant; refused if it is another one.", valueName: "number"))
    var revision: Int?

    @Flag(help: "The daemon's answer as JSON.")
    var json = false

    @OptionGroup var remote: RemoteAppOptions

    @Argument(help: "The recipe.")
    var slug: String

    /// The revision that is live or paused. Throws if the recipe was never live.
    func inForce() throws -> Int? {
        let (daemon, app) = try remote.target()
        let request = RemoteRequest("GET", "v1", "apps", app, "recipes", slug).with("state", "live")
        return try daemon.send(request).header("Bellwether-Revision").flatMap { Int($0) }
    }

    /// Requests the state. `revision` is the revision that the caller means; nil for the one in force.
    func put(_ state: String, _ revision: Int?) throws {
        let (daemon, app) = try remote.target()
        var body: JSONObject = ["state": .string(state)]
        body["revision"] = revision.map { .integer(Int64($0)) }
        let request = RemoteRequest("POST", "v1", "apps", app, "recipes", slug, "state").with(json: .object(body))
        let answer = try daemon.json(request)
        let text = "\(slug): \(answer.object?["state"]?.string ?? state)".plain
        try StandardOutput.writeLine(json ? answer.text : text)
    }
}
