internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Surveys

/// The names that a filter of runs may contain. They are the names of all revisions of the recipe, because a run may
/// belong to any of them, and the attributes of the manifest.
public struct RunNames: Sendable {
    /// Nil means that any name is known.
    private var answers: Set<Identifier>? = []
    private var attributes = Set(Run.attributionKeys)

    public init(_ content: (any PublishedContent)?, in app: AppSnapshot) {
        attributes.formUnion(app.manifest.attributes.keys.map { Identifier($0) })
        if let content { add(content) }
    }

    /// Adds the names of earlier revisions.
    public mutating func add(_ revisions: [StoredDocument], of slug: Identifier) {
        for revision in revisions {
            if let content = ContentKind.published(revision, slug: slug) { add(content) }
        }
    }

    private mutating func add(_ content: some PublishedContent) {
        answers = content.answerIDs.flatMap { answers?.union($0) }
        attributes.formUnion(content.keep.names)
    }

    /// The names in a filter that are not known.
    public func unknown(in filter: RunFilter) -> [(parameter: String, known: [Identifier])] {
        var unknown: [(parameter: String, known: [Identifier])] = []
        if let question = filter.question, let answers, !answers.contains(question) {
            unknown.append(("question", Array(answers)))
        }
        for name in filter.attributes.keys where !attributes.contains(name) {
            unknown.append(("attr.\(name)", Array(attributes)))
        }
        return unknown.map { ($0.parameter, $0.known.sorted()) }
    }
}
