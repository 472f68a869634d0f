internal import ArgumentParser
internal import BellwetherJSON
internal import BellwetherService
internal import Foundation

/// `bellwether survey import` and `bellwether survey export`: between the authors' formats and recipes
/// (docs/reference/surveys.md#import-and-export). Unknown keys stay, and all keys keep their order.
enum SurveyFormat {
    /// What a document is, by the keys that its format has.
    enum Source {
        /// SurveyNative's survey.
        case survey
        /// Owlmetry's questionnaire.
        case questionnaire
        /// The `schema` of one.
        case schema
        /// It says itself what it is.
        case recipe

        init?(_ document: JSONObject) {
            let questions = document["questions"]?.array
            if document["kind"] != nil {
                self = .recipe
            } else if document["schema"]?.object != nil {
                self = .questionnaire
            } else if questions?.contains(where: { $0.object?["question_type"] != nil }) == true {
                self = .survey
            } else if questions?.contains(where: { $0.object?["type"] != nil }) == true {
                self = .schema
            } else {
                return nil
            }
        }
    }

    /// - Parameter name: of a questionnaire whose document is only its schema.
    static func recipe(_ document: JSONObject, _ source: Source, named name: String) -> JSONObject {
        let kind: JSONValue = source == .survey ? "survey" : "questionnaire"
        switch source {
        case .recipe: return document
        case .schema: return ["kind": kind, "name": .string(name), "schema": .object(document)]
        case .survey, .questionnaire: return JSONObject([(key: "kind", value: kind)] + Array(document))
        }
    }

    /// A recipe in its author's format.
    static func original(_ recipe: JSONObject) -> JSONObject {
        var document = recipe
        document["kind"] = nil
        return document
    }
}

extension SurveyCommand {
    struct ImportDocument: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Make a recipe of a survey or a questionnaire in its author's format.",
            discussion: """
                Takes SurveyNative's JSON, Owlmetry's questionnaire or its schema alone, and writes the recipe to standard \
                output. Faults and warnings are told with file and line; the exit status is 1 if there is a fault.
                """)

        @Option(help: "The name of a questionnaire of which only the schema is given. Default: that of the file.")
        var name: String?

        @Argument(help: "The document; - is standard input.", completion: .file(extensions: ["json"]))
        var file: String

        func run() throws {
            let (source, document) = try SurveyFile.read(file)
            guard let format = SurveyFormat.Source(document) else {
                StandardError.write("\(file.plain): neither SurveyNative's nor Owlmetry's format")
                throw ExitCode(1)
            }
            let fileName = file == "-" ? "Questionnaire" : URL(filePath: file).deletingPathExtension().lastPathComponent
            let recipe = JSONValue.object(SurveyFormat.recipe(document, format, named: name ?? fileName))
            var hasFaults = false
            for (finding, isFault) in Self.findings(of: recipe) {
                // What is found in a schema that was wrapped stands at the top of the file.
                let isWrapped = format == .schema && finding.pointer.tokens.first == "schema"
                let pointer =
                    isWrapped ? JSONPointer(tokens: Array(finding.pointer.tokens.dropFirst())) : finding.pointer
                let placed = PlacedFinding(
                    Finding(pointer: pointer, code: finding.code, message: finding.message), isFault: isFault,
                    path: file, position: source.places.position(of: pointer))
                StandardError.write(placed.line)
                hasFaults = hasFaults || isFault
            }
            if hasFaults { throw ExitCode(1) }
            try StandardOutput.writeLine(recipe.prettyText)
        }

        private static func findings(of recipe: JSONValue) -> [(Finding, isFault: Bool)] {
            var app = FileCatalog.App()
            app.recipes["imported"] = FileCatalog.File(path: "imported", text: recipe.encoded)
            let outcomes = AppCheck(app, manifest: .optional).outcomes
            return outcomes.flatMap { outcome in
                outcome.faults.map { ($0, true) }
                    + outcome.warnings.filter { $0.code != "no_manifest" }.map { ($0, false) }
            }
        }
    }

    struct ExportDocument: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Write a survey's or questionnaire's recipe in its author's format.",
            discussion: "The key kind is left out, all others stay. Standard output has the document.")

        @Flag(help: "Only the schema of a questionnaire.")
        var schema = false

        @Argument(help: "The recipe; - is standard input.", completion: .file(extensions: ["json"]))
        var file: String

        func run() throws {
            let (_, recipe) = try SurveyFile.read(file)
            var document = SurveyFormat.original(recipe)
            if schema {
                guard let schema = document["schema"]?.object else {
                    StandardError.write("\(file.plain): it has no schema")
                    throw ExitCode(1)
                }
                document = schema
            }
            try StandardOutput.writeLine(JSONValue.object(document).prettyText)
        }
    }
}

/// A document of a file or of standard input.
private enum SurveyFile {
    static func read(_ path: String) throws -> (SourceFile, JSONObject) {
        var failures: [String] = []
        let input = path == "-" ? FileCatalog.File(path: "-", text: standardInput()) : FileAccess.read(path, &failures)
        guard let input else {
            for failure in failures { StandardError.write(failure.plain) }
            throw ExitCode(1)
        }
        do throws(JSONError) {
            if let object = try JSONValue(parsing: input.text).object { return (SourceFile(input), object) }
            StandardError.write("\(path.plain): expected an object")
        } catch {
            StandardError.write(PlacedFinding(error, path: path).line)
        }
        throw ExitCode(1)
    }

    private static func standardInput() -> [UInt8] { Array(FileHandle.standardInput.readDataToEndOfFile()) }
}
