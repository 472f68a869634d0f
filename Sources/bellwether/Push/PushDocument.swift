internal import BellwetherJSON

/// A document that is pushed, and where it stands in a file.
struct PushDocument {
    let name: DocumentName
    let source: SourceFile
    /// The document's place in the file: `/data/3` of an envelope's entry.
    let root: JSONPointer
    /// As its author wrote it.
    let text: [UInt8]

    /// A finding about the document, in its file.
    func placed(_ finding: Finding, isFault: Bool) -> PlacedFinding {
        let pointer = JSONPointer(tokens: root.tokens + finding.pointer.tokens)
        return PlacedFinding(
            Finding(pointer: pointer, code: finding.code, message: finding.message), isFault: isFault,
            path: source.path, position: source.places.position(of: pointer))
    }
}

/// A file of documents.
final class SourceFile {
    let path: String
    let text: [UInt8]
    private(set) lazy var places = JSONSourceMap(text)

    init(path: String, text: [UInt8]) {
        self.path = path
        self.text = text
    }
}

extension DocumentName {
    /// Below the app's path in the API (api.md 3).
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

    /// What others are read under goes first.
    var rank: Int {
        switch self {
        case .manifest: 0
        case .strings: 1
        case .recipe: 2
        }
    }
}
