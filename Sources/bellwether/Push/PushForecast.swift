internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService

/// The expected outcome of a push.
struct PushForecast {
    let app: RemoteApp
    let target: PushUpload.Target

    func row(_ document: SourceDocument, _ findings: [LocatedFinding]) throws(RemoteFailure) -> PushRow {
        let present = app.recipes == nil ? nil : try app.document(document.name)
        let isSame =
            present.map { Self.value($0) == Self.value(document.text) && !goesLive(document.name) } ?? false
        let change: PushRow.Outcome = present == nil ? .wouldCreate : .wouldChange
        var row = PushRow(document, isSame ? .unchanged : change, findings: findings)
        guard case .recipe(let slug) = document.name else { return row }
        if isSame {
            (row.revision, row.state) = (app.recipes?[slug]?.revision, app.recipes?[slug]?.state)
        } else if target == .draft {
            row.state = RecipeState.draft.rawValue
        }
        return row
    }

    /// Whether the push makes a draft live. The target `live` does so for any draft; the target `usual` only for the
    /// draft of a live recipe.
    private func goesLive(_ name: DocumentName) -> Bool {
        guard case .recipe(let slug) = name, let recipe = app.recipes?[slug] else {
            return target == .live && app.drafts.contains(name)
        }
        return target == .live && recipe.state == "draft" || target == .usual && recipe.hasDraftBeside
    }

    /// The document without its white space, which does not count as a difference.
    private static func value(_ text: [UInt8]) -> JSONValue? { try? JSONValue(parsing: text) }
}
