internal import ArgumentParser
internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService
internal import FoundationEssentials

/// `bellwether survey import` and `bellwether survey export`: convert between the authors' formats and recipes
/// (docs/reference/surveys.md#import-and-export).
extension SurveyCommand {
    struct ImportDocument: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Make recipes of a document in its author's format.",
            discussion: """
                Takes SurveyNative's survey or questions of one, Owlmetry's questionnaire, a list of them, a schema alone or \
                questions of one, AppDNA's flow or bundle, and Experimenter's recipes. Standard output has the recipe, or \
                {"data": [recipe, …]} of several: both are files for check and push. Nothing is lost; what has no \
                counterpart is told, a line each. Faults and warnings are told with file and line; the exit status is 1 if \
                there is a fault.
                """)

        @Option(help: "The name of a questionnaire of which only the schema is given. Default: that of the file.")
        var name: String?

        @Argument(help: "The document; - is standard input.", completion: .file(extensions: ["json"]))
        var file: String

        func run() throws {
            let source = try FormatSource.read(file, leavingOutCommas: true)
            let fileName = file == "-" ? "Questionnaire" : URL(filePath: file).deletingPathExtension().lastPathComponent
            guard let content = FormatImport(source.document, named: name ?? fileName) else {
                StandardError.write(
                    "\(file.plain): in none of the formats of SurveyNative, Owlmetry, AppDNA and Experimenter")
                throw ExitCode(1)
            }
            for comma in source.commas {
                StandardError.write("\(file.plain): warning: left out \(comma.message.plain)")
            }
            let findings = FormatFindings(content, in: source.file)
            for finding in findings.located { StandardError.write(finding.line) }
            if findings.located.contains(where: \.isFault) { throw ExitCode(1) }
            try StandardOutput.writeLine(content.output.prettyText)
        }
    }

    struct ExportDocument: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Write a survey's or questionnaire's recipe in its author's format.",
            discussion: """
                The key kind is left out, all others stay. Of {"data": [recipe, …]} an array of all is written. Standard \
                output has the document.
                """)

        @Flag(help: "Only the schema of a questionnaire.")
        var schema = false

        @Flag(help: "Only the questions of a questionnaire or survey, an array.")
        var questions = false

        @Argument(help: "The recipe; - is standard input.", completion: .file(extensions: ["json"]))
        var file: String

        func validate() throws {
            if schema, questions { throw ValidationError("Give --schema or --questions.") }
        }

        func run() throws {
            let document = try FormatSource.read(file).document
            if document.object?["kind"] == nil, let recipes = document.object?["data"]?.array {
                return try StandardOutput.writeLine(JSONValue.array(try recipes.map(part)).prettyText)
            }
            try StandardOutput.writeLine(try part(of: document).prettyText)
        }

        private func part(of recipe: JSONValue) throws -> JSONValue {
            guard var document = recipe.object else { throw missing("object") }
            document["kind"] = nil
            guard schema || questions else { return .object(document) }
            let content = document["schema"]?.object ?? (questions ? document : nil)
            guard let content else { throw missing("schema") }
            guard questions else { return .object(content) }
            guard let list = content["questions"] else { throw missing("questions") }
            return list
        }

        private func missing(_ what: String) -> ExitCode {
            StandardError.write("\(file.plain): it has no \(what)")
            return ExitCode(1)
        }
    }
}

/// The findings in the recipes of an import, at their locations in the source.
private struct FormatFindings {
    private(set) var located: [LocatedFinding] = []

    init(_ content: FormatImport, in file: SourceFile) {
        func add(_ finding: Finding, isFault: Bool) {
            located.append(
                LocatedFinding(
                    finding, isFault: isFault, path: file.path, position: file.sourceMap.position(of: finding.pointer)))
        }
        for note in content.notes { add(note, isFault: false) }
        let noted = Set(content.notes.map(\.pointer))
        var slugs: Set<String> = []
        for recipe in content.recipes {
            let slug = recipe.document.object?["slug"]?.string
            if let slug, !slugs.insert(slug).inserted {
                add(
                    Finding(
                        pointer: recipe.root.appending("slug"), code: "duplicate",
                        message: "there is a recipe \"\(slug)\" before this one"), isFault: true)
            } else if slug == nil, content.recipes.count > 1, recipe.root.tokens.first != "flows" {
                add(
                    Finding(
                        pointer: recipe.root, code: "required", message: "a recipe among several needs its slug"),
                    isFault: true)
            }
            for (finding, isFault) in Self.findings(of: recipe, Identifier(slug ?? "imported")) {
                let finding = recipe.located(of: finding)
                if isFault || !noted.contains(finding.pointer) { add(finding, isFault: isFault) }
            }
        }
    }

    private static func findings(of recipe: FormatImport.Recipe, _ slug: Identifier) -> [(Finding, isFault: Bool)] {
        var app = FileCatalog.App()
        app.recipes[slug] = FileCatalog.File(path: slug.text, text: recipe.document.encoded)
        return AppCheck(app, manifest: .optional).outcomes.flatMap { outcome in
            outcome.faults.map { ($0, true) }
                + outcome.warnings.filter { $0.code != "no_manifest" }.map { ($0, false) }
        }
    }
}

extension FormatImport.Recipe {
    /// The finding, moved to the location in the author's document.
    fileprivate func located(of finding: Finding) -> Finding {
        let tokens = finding.pointer.tokens
        let rest = tokens.starts(with: prefix) ? Array(tokens.dropFirst(prefix.count)) : []
        return Finding(
            pointer: JSONPointer(tokens: root.tokens + rest), code: finding.code, message: finding.message)
    }
}
