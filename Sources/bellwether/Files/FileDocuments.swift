internal import BellwetherAuthoring
internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService
internal import FoundationEssentials

/// The documents of one file, by its path: `manifest.json`, `strings/{locale}.json`, or a recipe under the file's name.
/// A file may also contain several recipes under their own slugs: an envelope `{"data": [recipe, …]}`, an array, or a
/// changeset (`{"changes": [recipe, …]}`). It may also be AppDNA's bundle of flows.
struct FileDocuments {
    private(set) var documents: [SourceDocument] = []
    /// Findings about entries of an envelope whose recipe has no usable name.
    private(set) var nameless: [LocatedFinding] = []
    /// Findings about parts of a file that have no counterpart in Bellwether.
    private(set) var notes: [LocatedFinding] = []
    /// The flow that a bundle activates.
    private(set) var activeFlow: ActiveFlow?

    init(_ file: SourceFile) {
        let url = URL(fileURLWithPath: file.path)
        let stem = Identifier(url.deletingPathExtension().lastPathComponent)
        if url.deletingLastPathComponent().lastPathComponent == "strings" {
            documents = [SourceDocument(.strings(locale: stem), file)]
        } else if stem == "manifest" {
            documents = [SourceDocument(.manifest, file)]
        } else if let list = RecipeList(file.text) {
            read(list, file)
        } else if !readBundle(file) {
            documents = [SourceDocument(.recipe(slug: stem), file)]
        }
    }

    private mutating func read(_ list: RecipeList, _ file: SourceFile) {
        for (index, (entry, range)) in zip(list.entries, list.ranges).enumerated() {
            let root = list.root.appending(index)
            guard let slug = entry.object?["slug"]?.identifier else {
                let finding = Finding(
                    pointer: root, code: "required", message: "a recipe of an envelope needs its slug, a string")
                nameless.append(Self.located(finding, isFault: true, file))
                continue
            }
            documents.append(
                SourceDocument(name: .recipe(slug: slug), source: file, root: root, text: Array(file.text[range])))
        }
    }

    /// Reads a bundle of flows. Returns false if the file is not a bundle.
    private mutating func readBundle(_ file: SourceFile) -> Bool {
        do throws(PublishRefusal) {
            guard let bundle = try FlowBundle.read(file: file.text) else { return false }
            for flow in bundle.flows {
                nameless += flow.faults.map { Self.located($0, isFault: true, file) }
                guard flow.faults.isEmpty else { continue }
                let root = JSONPointer(tokens: ["flows", flow.slug.text])
                documents.append(
                    SourceDocument(name: .recipe(slug: flow.slug), source: file, root: root, text: flow.text))
            }
            activeFlow = bundle.activeID.map { ActiveFlow(slug: $0, path: file.path) }
            let document = (try? JSONValue(parsing: file.text, limits: .kept)) ?? .null
            notes = FormatImport.notes(ofBundle: document).map { Self.located($0, isFault: false, file) }
        } catch {
            guard case .envelope(let findings) = error else { return false }
            nameless += findings.map { Self.located($0, isFault: true, file) }
        }
        return true
    }

    private static func located(_ finding: Finding, isFault: Bool, _ file: SourceFile) -> LocatedFinding {
        LocatedFinding(
            finding, isFault: isFault, path: file.path, position: file.sourceMap.position(of: finding.pointer))
    }
}

/// The flow that a bundle activates for its app (docs/reference/flows.md#bundles).
struct ActiveFlow: Hashable {
    let slug: Identifier
    let path: String
}

/// Several recipes of one file, in their authors' form.
private struct RecipeList {
    let root: JSONPointer
    let entries: [JSONValue]
    let ranges: [Range<Int>]

    /// Nil for any other text, whose own reader reports the fault.
    init?(_ text: [UInt8]) {
        var limits = JSONLimits.standard
        limits.depth += 2
        guard let document = try? JSONValue(parsing: text, limits: limits) else { return nil }
        if let data = document.object?["data"]?.array {
            (root, entries) = (JSONPointer.root.appending("data"), data)
            ranges = JSONElements.ranges(of: "data", in: text)
        } else if ForeignFormat(document) == .experiments {
            let isArray = document.array != nil
            root = isArray ? .root : JSONPointer.root.appending("changes")
            entries = document.array ?? document.object?["changes"]?.array ?? []
            ranges = isArray ? JSONElements.ranges(in: text) : JSONElements.ranges(of: "changes", in: text)
        } else {
            return nil
        }
    }
}
