internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// An app's bundle as JSON text (docs/reference/http-api.md#the-bundle). It contains the documents as their authors
/// wrote them, and further facts that a device needs to decide in the same way
/// (docs/decisions/archive/0012-a-bundle-adds-what-documents-do-not-say.md).
public struct BundleText: Sendable {
    /// The pieces of the text, in order. Documents are the bytes of the stored ones, not copies.
    public let pieces: [[UInt8]]

    init(_ parts: EditableApp, of compiledApp: CompiledApp, messages: MessageRevisions) {
        let live = Self.entries(compiledApp.live, in: parts)
        let paused = Self.entries(compiledApp.paused, in: parts)
        let locales = parts.strings.sorted { $0.key < $1.key }
        var text = Splice()
        text.add(#"{"revision":\#(parts.revision),"generated_at":"\#(parts.publishedAt.rfc3339)","manifest":"#)
        text.add(parts.manifestText)
        text.add(#","recipes":["#)
        text.add(live, separator: ",") { text, recipe in text.add(recipe.text) }
        text.add(#"],"strings":{"#)
        text.add(locales, separator: ",") { text, locale in
            text.add(JSONValue.string(locale.key).text + ":")
            text.add(locale.value.document.text)
        }
        text.add(#"},"manifest_revision":\#(parts.manifestDocument.revision),"recipe_revisions":["#)
        text.add(live, separator: ",") { text, recipe in text.add("{\(Self.number(of: recipe))}") }
        text.add(#"],"paused":["#)
        text.add(paused, separator: ",") { text, recipe in
            text.add("{\(Self.number(of: recipe)),\"recipe\":")
            text.add(recipe.text)
            text.add("}")
        }
        text.add(#"],"message_revisions":\#(messages.json.text)"#)
        let definitions = parts.definitions.revisions.sorted { $0.key < $1.key }
        if !definitions.isEmpty {
            let numbers = JSONObject(definitions.map { (key: $0.key.text, value: .integer(Int64($0.value))) })
            text.add(#","event_definitions":\#(JSONValue.object(numbers).text)"#)
        }
        text.add("}")
        pieces = text.pieces
    }

    private struct Entry {
        let slug: Identifier
        let document: StoredDocument
        /// The text that devices get.
        let text: [UInt8]
    }

    /// The entries of recipes, in the revisions that are in force.
    private static func entries(_ recipes: [Recipe], in parts: EditableApp) -> [Entry] {
        recipes.compactMap { recipe in
            guard let loaded = parts.recipes[recipe.slug] else { return nil }
            let document = loaded.stored.inForce ?? loaded.stored.document
            let open = loaded.published?.publicText ?? recipe.documentForClients.map { JSONValue.object($0).encoded }
            return Entry(slug: recipe.slug, document: document, text: open ?? document.text)
        }
    }

    private static func number(of recipe: Entry) -> String {
        #""slug":\#(JSONValue.string(recipe.slug).text),"revision":\#(recipe.document.revision)"#
    }
}

extension EditableApp {
    /// The manifest for devices, which do not learn the addresses of notices.
    fileprivate var manifestText: [UInt8] {
        guard !manifest.notices.isEmpty, var members = manifest.document.object else { return manifestDocument.text }
        members["notices"] = nil
        return JSONValue.object(members).encoded
    }
}

/// A text that is joined from documents, which are not copied, and the text between them.
private struct Splice {
    private var finished: [[UInt8]] = []
    private var open: [UInt8] = []

    /// A smaller document is copied, because that costs less than a piece of its own.
    private static let smallest = 256

    mutating func add(_ text: String) { open += text.utf8 }

    mutating func add(_ document: [UInt8]) {
        guard document.count >= Self.smallest else {
            open += document
            return
        }
        if !open.isEmpty { finished.append(open) }
        finished.append(document)
        open = []
    }

    mutating func add<Items: Sequence>(
        _ items: Items, separator: String, _ add: (inout Splice, Items.Element) -> Void
    ) {
        for (index, item) in items.enumerated() {
            if index > 0 { self.add(separator) }
            add(&self, item)
        }
    }

    var pieces: [[UInt8]] { open.isEmpty ? finished : finished + [open] }
}
