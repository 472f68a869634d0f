internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// The names by which a list of runs is asked for: those of all revisions of the recipe, for a run may have been given
/// to any of them, and the attributes of the manifest.
public struct RunNames: Sendable {
    /// Nil: any.
    private var answers: Set<String>? = []
    private var attributes = Set(Run.attributionKeys)

    public init(_ content: (any PublishedContent)?, in app: AppSnapshot) {
        attributes.formUnion(app.manifest.attributes.keys)
        if let content { add(content) }
    }

    /// Adds the names of earlier revisions.
    public mutating func add(_ revisions: [StoredDocument], of slug: String) {
        for revision in revisions {
            if let content = ContentKind.published(revision, slug: slug) { add(content) }
        }
    }

    private mutating func add(_ content: some PublishedContent) {
        answers = content.answerIDs.flatMap { answers?.union($0) }
        attributes.formUnion(content.keep.names)
    }

    /// The names in a filter that are none of them.
    public func unknown(in filter: RunFilter) -> [(parameter: String, known: [String])] {
        var unknown: [(parameter: String, known: [String])] = []
        if let question = filter.question, let answers, !answers.contains(question) {
            unknown.append(("question", Array(answers)))
        }
        for name in filter.attributes.keys where !attributes.contains(name) {
            unknown.append(("attr." + name, Array(attributes)))
        }
        return unknown.map { ($0.parameter, $0.known.sorted { $0.precedes($1) }) }
    }
}
