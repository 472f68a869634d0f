internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService

/// A document with its location in a file.
struct SourceDocument {
    let name: DocumentName
    let source: SourceFile
    /// The document's location in the file, such as `/data/3` for an entry of an envelope.
    let root: JSONPointer
    /// The text in the author's form.
    let text: [UInt8]

    init(name: DocumentName, source: SourceFile, root: JSONPointer, text: [UInt8]) {
        (self.name, self.source, self.root, self.text) = (name, source, root, text)
    }

    /// A document that is a complete file.
    init(_ name: DocumentName, _ file: SourceFile) { self.init(name: name, source: file, root: .root, text: file.text) }

    /// The conflict of two texts for one document, because the order of the paths must not decide. Nil if both are the
    /// same text of a file.
    func conflict(with earlier: SourceDocument) -> String? {
        guard location != earlier.location else { return nil }
        return "\(location): it stands for the same document as \(earlier.location)"
    }

    private var location: String { source.path + root.description }

    /// A finding about the document, in its file.
    func located(_ finding: Finding, isFault: Bool) -> LocatedFinding {
        let pointer = JSONPointer(tokens: root.tokens + finding.pointer.tokens)
        return LocatedFinding(
            finding.moved(to: pointer), isFault: isFault, path: source.path,
            position: source.sourceMap.position(of: pointer))
    }
}

/// A file of documents.
final class SourceFile {
    let path: String
    let text: [UInt8]
    private(set) lazy var sourceMap = JSONSourceMap(text)

    init(_ file: FileCatalog.File) { (path, text) = (file.path, file.text) }
}

extension FileCatalog.App {
    mutating func take(_ document: SourceDocument) {
        let file = FileCatalog.File(path: document.source.path, text: document.text)
        switch document.name {
        case .manifest: manifest = file
        case .strings(let locale): strings[locale] = file
        case .recipe(let slug): recipes[slug] = file
        }
    }
}

extension DocumentName {
    /// The path below the app's path in the API (docs/reference/http-api.md#owners).
    var path: [Identifier] {
        switch self {
        case .manifest: ["manifest"]
        case .strings(let locale): ["strings", locale]
        case .recipe(let slug): ["recipes", slug]
        }
    }

    var kind: String {
        switch self {
        case .manifest: "manifest"
        case .strings: "strings"
        case .recipe: "recipe"
        }
    }

    /// The name without its kind; nil for the manifest, because an app has only one.
    var text: Identifier? {
        switch self {
        case .manifest: nil
        case .strings(let locale): locale
        case .recipe(let slug): slug
        }
    }

    /// The rank in a push: documents that others depend on go first.
    var rank: Int {
        switch self {
        case .manifest: 0
        case .strings: 1
        case .recipe: 2
        }
    }
}
