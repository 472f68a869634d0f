public import BellwetherBase
public import BellwetherService

/// The catalog and the tokens.
extension MemoryStore {
    public func loadCatalog() throws(StoreError) -> StoredCatalog { try access { $0.catalog } }

    public func publish(
        _ changes: [CatalogChange], expecting head: CatalogHead, by author: String, at now: Timestamp
    ) throws(StoreError) -> CatalogHead {
        try access { content throws(StoreError) in
            guard content.catalog.head == head else { throw .stale }
            for change in changes {
                content.catalog.apply(change)
                switch change {
                case .recipe(let app, let recipe):
                    content.revisions["\(app)/\(recipe.slug)", default: []].append(recipe.document)
                case .reply(let claim, let reply, let at):
                    content.rows[.reply(claim.key)] = StoredRow(version: 1, value: .reply(reply, at: at))
                case .revision(let app, _): content.apps.insert(app)
                default: break
                }
            }
            content.catalog.head = CatalogHead(revision: head.revision + 1)
            content.commits += 1
            return content.catalog.head
        }
    }

    public func revisions(of slug: String, in app: String) throws(StoreError) -> [StoredDocument] {
        try access { $0.revisions["\(app)/\(slug)"] ?? [] }
    }

    public func loadTokens() throws(StoreError) -> StoredTokens { try access { $0.tokens } }

    @discardableResult
    public func changeTokens(
        _ changes: [TokenChange], expecting head: TokenHead?, by author: String, at now: Timestamp
    ) throws(StoreError) -> TokenHead {
        try access { content throws(StoreError) in
            if let head {
                guard content.tokens.head == head else { throw .stale }
                content.tokens.head = TokenHead(revision: head.revision + 1)
                content.commits += 1
            }
            for change in changes {
                switch change {
                case .issue(let token): content.tokens.tokens.append(token)
                case .revoke(let token, let time): content.update(token.digest) { $0.revokedAt = time }
                case .use(let digest, let time):
                    content.update(digest) { $0.lastUsedAt = time }
                    content.tokenUses += 1
                }
            }
            return content.tokens.head
        }
    }
}

extension MemoryStore.Content {
    fileprivate mutating func update(_ digest: [UInt8], _ change: (inout StoredToken) -> Void) {
        for index in tokens.tokens.indices where tokens.tokens[index].digest == digest {
            change(&tokens.tokens[index])
        }
    }
}

extension StoredCatalog {
    /// What a store has after these changes.
    public init(_ changes: [CatalogChange]) {
        self.init(apps: [])
        for change in changes { apply(change) }
    }

    public mutating func apply(_ change: CatalogChange) {
        switch change {
        case .manifest(let app, let document): edit(app) { ($0.manifest, $0.drafts[.manifest]) = (document, nil) }
        case .deleteManifest(let app): edit(app) { ($0.manifest, $0.drafts[.manifest]) = (nil, nil) }
        case .strings(let app, let locale, let document):
            edit(app) { ($0.strings[locale], $0.drafts[.strings(locale: locale)]) = (document, nil) }
        case .deleteStrings(let app, let locale):
            edit(app) { ($0.strings[locale], $0.drafts[.strings(locale: locale)]) = (nil, nil) }
        case .draft(let app, let name, let document): edit(app) { $0.drafts[name] = document }
        case .recipe(let app, let recipe):
            edit(app) { app in
                app.recipes.removeAll { $0.slug == recipe.slug }
                app.recipes.append(recipe)
                app.retiredRevisions[recipe.slug] = nil
            }
        case .deleteRecipe(let app, let slug):
            edit(app) { app in
                app.retiredRevisions[slug] = app.recipes.first { $0.slug == slug }?.document.revision
                app.recipes.removeAll { $0.slug == slug }
            }
        case .message(let app, let message):
            edit(app) { app in
                if !app.messages.contains(message) { app.messages.append(message) }
            }
        case .revision(let app, let revision): edit(app) { $0.revision = revision }
        case .record(let app, let record):
            edit(app) { app in
                app.records.removeAll { $0.collection == record.collection && $0.id == record.id }
                app.records.append(record)
            }
        case .reply: break
        }
    }

    private mutating func edit(_ name: String, _ change: (inout StoredApp) -> Void) {
        if !apps.contains(where: { $0.name == name }) { apps.append(StoredApp(name: name)) }
        for index in apps.indices where apps[index].name == name { change(&apps[index]) }
    }
}
