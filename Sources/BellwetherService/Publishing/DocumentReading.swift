internal import BellwetherAuthoring
internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// Reads documents on their way into the catalog. It parses and checks them, and reports every fault.
struct DocumentReading {
    let isStrict: Bool
    var limits = JSONLimits.standard
    /// The context that documents are checked against beyond their types; nil if they are only read.
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

    /// Reads a manifest that replaces the one of `current`. The recipes are checked for what the new manifest removes.
    ///
    /// - Parameter isStored: whether the manifest was published before.
    func manifest(
        _ text: [UInt8], over current: EditableApp?, isStored: Bool = false
    ) throws(PublishRefusal) -> Read<Manifest> {
        let value = try parse(text)
        return try check { findings in
            let manifest = ManifestIntake.read(value, in: context, isStored: isStored, findings: findings)
            if let manifest, context != nil, let current {
                ManifestChange(from: current.manifest, to: manifest, findings: findings).check(current.inForce)
            }
            return manifest
        }
    }

    func recipe(_ text: [UInt8], _ intake: RecipeIntake) throws(PublishRefusal) -> Read<Recipe> {
        let value = try parse(text)
        var intake = intake
        intake.context = context
        return try check { [intake] findings in intake.read(value, findings: findings) }
    }

    func strings(_ text: [UInt8], locale: Identifier) throws(PublishRefusal) -> Read<[String: [String: String]]> {
        let value = try parse(text)
        return try check { findings in StringTables.read(value, locale: locale.text, findings: findings) }
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
