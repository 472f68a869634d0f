internal import BellwetherJSON

/// Sends documents to a daemon one after another, and tells what became of each.
struct PushUpload {
    let app: RemoteApp
    /// Recipes are stored, and not served.
    let asDraft: Bool
    let isStrict: Bool

    /// A recipe that is refused leaves the others alone (api.md 3). What others are read under does not, nor does an
    /// answer that is not about the document.
    func send(_ documents: [PushDocument], _ report: PushReport) {
        let progress = Progress("pushing \(app.name)", of: Int64(documents.count))
        var goesOn = true
        for (place, document) in documents.enumerated() {
            let row: PushRow
            if goesOn { (row, goesOn) = send(document) } else { row = PushRow(document, .notSent) }
            progress.finish()
            report.print(row)
            progress.show(Int64(place + 1))
        }
        progress.finish()
    }

    private func send(_ document: PushDocument) -> (row: PushRow, goesOn: Bool) {
        do throws(RemoteFailure) {
            let before = try standing(of: document.name)
            let request = app.request("PUT", document.name.path).with(json: document.text)
                .with("strict", isStrict ? "true" : nil)
            guard case .recipe = document.name else { return (stored(document, before, try put(request)), true) }
            return (stored(document, before, try put(request.with("state", asDraft ? "draft" : nil))), true)
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

    private func put(_ request: RemoteRequest) throws(RemoteFailure) -> RemoteAnswer { try app.daemon.send(request) }

    /// What is compared with the answer: revision and state of a recipe, the tag of anything else.
    private enum Standing {
        case recipe(RemoteApp.RecipeStanding?)
        case tag(String?)
    }

    private func standing(of name: DocumentName) throws(RemoteFailure) -> Standing {
        if case .recipe(let slug) = name { return .recipe(app.recipes?[slug]) }
        return .tag(app.recipes == nil ? nil : try app.tag(of: name))
    }

    private func stored(_ document: PushDocument, _ before: Standing, _ answer: RemoteAnswer) -> PushRow {
        let receipt = (try? answer.json())?.object
        let revision = receipt?["revision"]?.integer
        let state = receipt?["state"]?.string
        let isUnchanged =
            switch before {
            case .recipe(let standing): standing?.revision == revision && standing?.state == state
            case .tag(let tag): tag != nil && tag == answer.entityTag
            }
        let outcome: PushRow.Outcome = answer.status == 201 ? .created : isUnchanged ? .unchanged : .changed
        let warnings = answer.findings("warnings").map { document.placed($0, isFault: false) }
        var row = PushRow(document, outcome, findings: warnings)
        (row.revision, row.state) = (revision, state)
        return row
    }
}
