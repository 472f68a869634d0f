package import ArgumentParser
internal import BellwetherAuthoring
internal import BellwetherJSON

/// `bellwether schema`: the format of a kind of document (docs/reference/schemas.md).
package struct SchemaCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of a kind of document.",
        discussion: "An editor that knows the schema completes and checks the documents of the kind.")

    @Argument(help: "One of: \(Schemas.kinds.joined(separator: ", ")).", completion: .list(Schemas.kinds))
    var kind: String

    package init() {}

    package func run() throws {
        guard let schema = Schemas.schema(of: kind) else {
            throw ValidationError("There is no schema of \"\(kind)\": \(Schemas.kinds.joined(separator: ", ")).")
        }
        try StandardOutput.writeLine(schema.text)
    }
}
