internal import BellwetherJSON
internal import BellwetherService

/// Sends documents to a daemon one after another, and tells what became of each.
struct PushUpload {
    let app: RemoteApp
    /// Recipes are stored, and not served.
    let asDraft: Bool
    let isStrict: Bool
    /// What the check has found of the manifest, where strings are pushed, too. The manifest goes before the strings
    /// that it names: of what it then misses only the check can say whether it is there in the end.
    let checkedManifest: [PlacedFinding]?

    private static let codesOfStrings: Set = ["missing_translation", "unknown_string_id"]

    /// A recipe that is refused leaves the others alone (api.md 3). What others are read under does not, nor does an
    /// answer that is not about the document.
    func send(_ documents: [SourceDocument], _ report: PushReport) throws {
        let progress = Progress("pushing \(app.name)", of: Int64(documents.count))
        var goesOn = true
        for (place, document) in documents.enumerated() {
            let row: PushRow
            if goesOn { (row, goesOn) = send(document) } else { row = PushRow(document, .notSent) }
            progress.finish()
            try report.print(row)
            progress.show(Int64(place + 1))
        }
        progress.finish()
    }

    private func send(_ document: SourceDocument) -> (row: PushRow, goesOn: Bool) {
        do throws(RemoteFailure) {
            let before = try standing(of: document.name)
            return (stored(document, before, try put(document)), true)
        } catch {
            guard case .refused(let answer) = error else {
                let finding = Finding(pointer: .root, code: "no_answer", message: "\(error)")
                return (PushRow(document, .failed, findings: [document.placed(finding, isFault: true)]), false)
            }
            let faults = answer.findings("errors").map { document.placed($0, isFault: true) }
            let isAboutDocument = [400, 409, 413, 422].contains(answer.status)
            return (
                PushRow(document, .refused, findings: faults), isAboutDocument && document.name.kind == "recipe"
            )
        }
    }

    private func put(_ document: SourceDocument) throws(RemoteFailure) -> RemoteAnswer {
        let request = app.request("PUT", document.name.path).with(json: document.text)
        let strict = request.with("strict", isStrict ? "true" : nil)
        do throws(RemoteFailure) {
            guard case .recipe = document.name else { return try app.daemon.send(strict) }
            return try app.daemon.send(strict.with("state", asDraft ? "draft" : nil))
        } catch {
            guard case .refused(let answer) = error, answer.status == 422, document.name == .manifest,
                checkedManifest != nil,
                answer.findings("errors").allSatisfy({ Self.codesOfStrings.contains($0.code) })
            else { throw error }
            return try app.daemon.send(request)
        }
    }

    /// What is compared with the answer: revision and state of a recipe, the tag of anything else.
    private enum Standing {
        case recipe(RemoteApp.RecipeStanding?)
        case tag(String?)
    }

    private func standing(of name: DocumentName) throws(RemoteFailure) -> Standing {
        if case .recipe(let slug) = name { return .recipe(app.recipes?[slug]) }
        return .tag(app.recipes == nil ? nil : try app.tag(of: name))
    }

    private func stored(_ document: SourceDocument, _ before: Standing, _ answer: RemoteAnswer) -> PushRow {
        let receipt = (try? answer.json())?.object
        let revision = receipt?["revision"]?.integer
        let state = receipt?["state"]?.string
        let isUnchanged =
            switch before {
            case .recipe(let standing): standing?.revision == revision && standing?.state == state
            case .tag(let tag): tag != nil && tag == answer.entityTag
            }
        let outcome: PushRow.Outcome = answer.status == 201 ? .created : isUnchanged ? .unchanged : .changed
        var warnings = answer.findings("warnings").map { document.placed($0, isFault: false) }
        if document.name == .manifest, let checkedManifest {
            warnings.removeAll { Self.codesOfStrings.contains($0.finding.code) }
            warnings += checkedManifest.filter { Self.codesOfStrings.contains($0.finding.code) }
        }
        var row = PushRow(document, outcome, findings: warnings)
        (row.revision, row.state) = (revision, state)
        return row
    }
}
