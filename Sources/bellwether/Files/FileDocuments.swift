internal import BellwetherJSON
internal import BellwetherService
internal import Foundation

/// What one file holds, by where it stands, as `serve` takes it: `manifest.json`, `strings/{locale}.json`, else a
/// recipe under the file's name, or an envelope `{"data": [recipe, …]}` of recipes under their own slugs.
struct FileDocuments {
    private(set) var documents: [SourceDocument] = []
    /// Entries of an envelope of which nobody can say which recipe they are.
    private(set) var nameless: [PlacedFinding] = []

    init(_ file: SourceFile) {
        let url = URL(fileURLWithPath: file.path)
        let stem = url.deletingPathExtension().lastPathComponent
        if url.deletingLastPathComponent().lastPathComponent == "strings" {
            documents = [SourceDocument(.strings(locale: stem), file)]
        } else if stem == "manifest" {
            documents = [SourceDocument(.manifest, file)]
        } else if let entries = Self.envelope(file.text) {
            readEnvelope(file, entries)
        } else {
            documents = [SourceDocument(.recipe(slug: stem), file)]
        }
    }

    /// The recipes of `{"data": [recipe, …]}`; nil for anything else, which then tells itself what it is not.
    private static func envelope(_ text: [UInt8]) -> [JSONValue]? {
        var limits = JSONLimits.standard
        limits.depth += 2
        return (try? JSONValue(parsing: text, limits: limits))?.object?["data"]?.array
    }

    private mutating func readEnvelope(_ file: SourceFile, _ entries: [JSONValue]) {
        for (index, (entry, range)) in zip(entries, JSONElements.ranges(of: "data", in: file.text)).enumerated() {
            let root = JSONPointer.root.appending("data").appending(index)
            guard let slug = entry.object?["slug"]?.string else {
                let finding = Finding(
                    pointer: root, code: "required", message: "a recipe of an envelope needs its slug, a string")
                nameless.append(
                    PlacedFinding(finding, isFault: true, path: file.path, position: file.places.position(of: root)))
                continue
            }
            documents.append(
                SourceDocument(name: .recipe(slug: slug), source: file, root: root, text: Array(file.text[range])))
        }
    }
}
