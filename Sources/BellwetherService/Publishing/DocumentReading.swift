internal import BellwetherCore
internal import BellwetherJSON

/// Reads documents on their way into the catalog: parse, check, and tell everything that is wrong.
struct DocumentReading {
    let isStrict: Bool
    var limits = JSONLimits.standard
    /// What documents are checked against beyond their shape; nil: they are only read.
    var context: CheckContext?

    struct Read<Content> {
        let content: Content
        let warnings: [Finding]
    }

    private func parse(_ text: [UInt8]) throws(PublishRefusal) -> JSONValue {
        do {
            return try JSONValue(parsing: text, limits: limits)
        } catch {
            throw .malformed(error)
        }
    }

    func manifest(_ text: [UInt8]) throws(PublishRefusal) -> Read<Manifest> {
        let value = try parse(text)
        return try check { findings in
            let manifest = Manifest.read(value, findings: findings)
            if let manifest, let context { DocumentCheck.check(manifest, in: context, findings: findings) }
            return manifest
        }
    }

    func recipe(_ text: [UInt8], slug: String, revision: Int, manifest: Manifest) throws(PublishRefusal)
        -> Read<Recipe>
    {
        let value = try parse(text)
        return try check { findings in
            ReservedSlugs.check(slug, of: value, findings: findings)
            let recipe = Recipe.read(value, slug: slug, revision: revision, manifest: manifest, findings: findings)
            if let recipe, let context {
                DocumentCheck.check(recipe, under: manifest, in: context, findings: findings)
            }
            return recipe
        }
    }

    func strings(_ text: [UInt8], locale: String) throws(PublishRefusal) -> Read<[String: [String: String]]> {
        let value = try parse(text)
        return try check { findings in StringTables.read(value, locale: locale, findings: findings) }
    }

    private func check<Content>(_ read: (Findings) -> Content?) throws(PublishRefusal) -> Read<Content> {
        let findings = Findings()
        let content = read(findings)
        if isStrict { findings.promoteWarnings() }
        guard let content, findings.faults.isEmpty else {
            throw .faults(findings.faults, warnings: findings.warnings)
        }
        return Read(content: content, warnings: findings.warnings)
    }
}
