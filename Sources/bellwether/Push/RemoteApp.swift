internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService

/// An app of a running daemon, as it is before a push.
struct RemoteApp {
    struct RecipeStanding: Hashable {
        let revision: Int64?
        /// The state of the newest revision. For a draft of a live recipe, this is draft.
        let state: String?
        /// The state of the recipe.
        let recipeState: RecipeState?
        let isReadOnly: Bool
        /// Whether the recipe serves another revision than the newest.
        let hasDraftBeside: Bool
    }

    let daemon: RemoteDaemon
    let name: Identifier
    /// The recipes by slug; nil if the daemon has no such app.
    private(set) var recipes: [Identifier: RecipeStanding]?
    private(set) var isManifestReadOnly = false
    private(set) var locales: [Identifier] = []
    /// The manifest and strings that have a draft.
    private(set) var drafts: Set<DocumentName> = []

    init(_ daemon: RemoteDaemon, _ name: Identifier) throws(RemoteFailure) {
        self.daemon = daemon
        self.name = name
        let apps = try daemon.json(RemoteRequest("GET", "v1", "apps")).object?["apps"]?.array ?? []
        guard let summary = apps.first(where: { $0.object?["app"]?.identifier == name })?.object else { return }
        isManifestReadOnly = summary["read_only"]?.bool ?? false
        let draftLocales = summary["draft_locales"]?.array?.compactMap(\.identifier) ?? []
        locales = Set(summary["locales"]?.array?.compactMap(\.identifier) ?? []).union(draftLocales).sorted()
        drafts = Set(draftLocales.map { DocumentName.strings(locale: $0) })
        if summary["draft_revision"]?.integer != nil { drafts.insert(.manifest) }
        let list = try daemon.json(request("GET", ["recipes"]).with("archived", "all"))
        let listed = list.object?["recipes"]?.array ?? []
        var recipes: [Identifier: RecipeStanding] = [:]
        for recipe in listed.compactMap(\.object) {
            guard let slug = recipe["slug"]?.identifier else { continue }
            let isDraft = recipe["draft_revision"]?.integer != nil
            let state = recipe["state"]?.string
            recipes[slug] = RecipeStanding(
                revision: recipe["revision"]?.integer, state: isDraft ? "draft" : state,
                recipeState: state.flatMap(RecipeState.init),
                isReadOnly: recipe["read_only"]?.bool ?? false, hasDraftBeside: isDraft && state != "draft")
        }
        self.recipes = recipes
    }

    func request(_ method: String, _ path: [Identifier]) -> RemoteRequest {
        RemoteRequest(method, path: ["v1", "apps", name.text] + path.map(\.text))
    }

    /// The newest revision of a document in the daemon; nil if there is none.
    func document(_ name: DocumentName) throws(RemoteFailure) -> [UInt8]? {
        try answer(request("GET", name.path))?.body
    }

    /// The newest version of a document; nil if there is none. A recipe's version is its revision in the list.
    func version(of name: DocumentName) throws(RemoteFailure) -> RemoteVersion? {
        if case .recipe(let slug) = name { return recipes?[slug]?.revision.map { RemoteVersion(revision: $0) } }
        return try answer(request("HEAD", name.path))?.entityTag.flatMap(RemoteVersion.init)
    }

    /// The last revision of a recipe, even if it was deleted; nil if there never was one.
    func newestRevision(of name: DocumentName) throws(RemoteFailure) -> Int64? {
        let history = try answer(request("GET", name.path + ["revisions"]))?.json().object?["revisions"]?.array
        return history?.compactMap { $0.object?["revision"]?.integer }.max()
    }

    private func answer(_ request: RemoteRequest) throws(RemoteFailure) -> RemoteResponse? {
        do throws(RemoteFailure) {
            return try daemon.send(request)
        } catch {
            if case .refused(let answer) = error, answer.status == 404 { return nil }
            throw error
        }
    }
}

extension RemoteResponse {
    /// The entity tag without the mark of a weak tag, because a compressed response has the same document.
    var entityTag: String? { header("ETag").map { $0.hasPrefix("W/") ? String($0.dropFirst(2)) : $0 } }
}
