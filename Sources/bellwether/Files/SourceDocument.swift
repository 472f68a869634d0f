internal import BellwetherJSON
internal import BellwetherService

/// A document, and where it stands in a file.
struct SourceDocument {
    let name: DocumentName
    let source: SourceFile
    /// The document's location in the file: `/data/3` of an envelope's entry.
    let root: JSONPointer
    /// As its author wrote it.
    let text: [UInt8]

    init(name: DocumentName, source: SourceFile, root: JSONPointer, text: [UInt8]) {
        (self.name, self.source, self.root, self.text) = (name, source, root, text)
    }

    /// One that is all of a file.
    init(_ name: DocumentName, _ file: SourceFile) { self.init(name: name, source: file, root: .root, text: file.text) }

    /// Two texts for one document: the order of the paths must not choose between them. Nil for one that is met twice.
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
    /// Below the app's path in the API (docs/reference/http-api.md#owners).
    var path: [String] {
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

    /// Beside its kind; an app has one manifest.
    var text: String? {
        switch self {
        case .manifest: nil
        case .strings(let locale): locale
        case .recipe(let slug): slug
        }
    }

    /// The rank in a push: documents that others are read under go first.
    var rank: Int {
        switch self {
        case .manifest: 0
        case .strings: 1
        case .recipe: 2
        }
    }
}
