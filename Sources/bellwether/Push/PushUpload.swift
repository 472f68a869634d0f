internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService

/// Sends documents to a daemon one after another, and reports the outcome of each.
struct PushUpload {
    /// The target state of new recipes and drafts.
    enum Target {
        /// Documents are stored, but not served.
        case draft
        /// New documents become live; drafts stay drafts.
        case usual
        /// Drafts become live.
        case live
    }

    let app: RemoteApp
    let overwriting: OverwriteGuard
    let target: Target
    let isStrict: Bool
    /// The check's findings in the manifest, if strings are also pushed. The manifest is sent before its strings. So
    /// only this check can decide whether strings that the daemon reports as missing will exist.
    let checkedManifest: [LocatedFinding]?

    private static let codesOfStrings: Set = ["missing_translation", "unknown_string_id"]

    /// Sends the documents. A refused recipe does not stop the others (docs/reference/http-api.md#batches). A refused
    /// manifest or strings document does, and so does an error that is not about the document.
    func send(_ documents: [SourceDocument], _ report: PushReport) throws {
        let progress = Progress("pushing \(app.name)", of: Int64(documents.count))
        defer { overwriting.memory.save() }
        var goesOn = true
        for (index, document) in documents.enumerated() {
            let row: PushRow
            if goesOn { (row, goesOn) = send(document) } else { row = PushRow(document, .notSent) }
            progress.finish()
            try report.print(row)
            progress.show(Int64(index + 1))
        }
        progress.finish()
    }

    /// Makes the flow the only active one. The rows are the flows that had to change.
    func activate(_ active: ActiveFlow, _ report: PushReport) throws {
        defer { overwriting.memory.save() }
        for row in try activation(active) { try report.print(row) }
    }

    private func activation(_ active: ActiveFlow) throws(RemoteFailure) -> [PushRow] {
        do throws(RemoteFailure) {
            let request = app.request("POST", ["recipes"]).with(json: FlowBundle.activating(active.slug))
            let results = try app.daemon.send(request).json().object?["results"]?.array ?? []
            return results.compactMap(\.object).map { result in
                let name = DocumentName.recipe(slug: result["slug"]?.identifier ?? "")
                var row = PushRow(recipe: name.text?.text, path: active.path, .changed)
                (row.revision, row.state) = (result["revision"]?.integer, result["state"]?.string)
                overwriting.memory.note(name, row.revision.map { RemoteVersion(revision: $0).tag })
                return row
            }
        } catch {
            guard case .refused(let answer) = error else { throw error }
            var row = PushRow(recipe: active.slug.text, path: active.path, .refused)
            row.findings = answer.findings("errors").map {
                LocatedFinding($0, isFault: true, path: active.path, position: nil)
            }
            return [row]
        }
    }

    private func send(_ document: SourceDocument) -> (row: PushRow, goesOn: Bool) {
        do throws(RemoteFailure) {
            let answer = try put(document)
            overwriting.memory.note(document.name, answer.entityTag)
            let stored = row(document, answer)
            guard stored.state == Self.draft, target != .draft else { return (stored, true) }
            if target == .live { return (try putLive(document, stored, answer.entityTag), true) }
            var waiting = stored
            waiting.findings.append(document.located(Self.staysDraft, isFault: false))
            return (waiting, true)
        } catch {
            guard case .refused(let answer) = error else {
                let finding = Finding(pointer: .root, code: "no_answer", message: "\(error)")
                return (PushRow(document, .failed, findings: [document.located(finding, isFault: true)]), false)
            }
            let isAboutDocument = [400, 409, 412, 413, 422].contains(answer.status)
            return (
                PushRow(document, .refused, findings: faults(of: document, answer)),
                isAboutDocument && document.name.kind == "recipe"
            )
        }
    }

    private static let draft = "draft"

    private static let staysDraft = Finding(
        pointer: .root, code: "stays_draft",
        message: "it stays a draft, and is not served: push --live puts it live; where a second person must approve, "
            + "that takes another token than its author's")

    private func faults(of document: SourceDocument, _ answer: RemoteResponse) -> [LocatedFinding] {
        let findings = answer.status == 412 ? [OverwriteGuard.raced] : answer.findings("errors")
        return findings.map { document.located($0, isFault: true) }
    }

    private func put(_ document: SourceDocument) throws(RemoteFailure) -> RemoteResponse {
        let request = app.request("PUT", document.name.path).with(json: document.text)
            .with(header: overwriting.condition(for: document.name))
        let strict = request.with("strict", isStrict ? "true" : nil)
        do throws(RemoteFailure) {
            guard case .recipe = document.name else { return try app.daemon.send(strict) }
            return try app.daemon.send(strict.with("state", target == .draft ? Self.draft : nil))
        } catch {
            guard case .refused(let answer) = error, answer.status == 422, document.name == .manifest,
                checkedManifest != nil,
                answer.findings("errors").allSatisfy({ Self.codesOfStrings.contains($0.code) })
            else { throw error }
            return try app.daemon.send(request)
        }
    }

    /// Publishes exactly the draft that was just stored, and no later one.
    private func putLive(
        _ document: SourceDocument, _ stored: PushRow, _ tag: String?
    ) throws(RemoteFailure) -> PushRow {
        var body: JSONObject = ["state": "live"]
        body["revision"] = stored.revision.map { .integer($0) }
        let request = app.request("POST", document.name.path + ["state"]).with(json: .object(body))
            .with("strict", isStrict ? "true" : nil).with(header: tag.map { ("If-Match", $0) })
        do throws(RemoteFailure) {
            let answer = try app.daemon.send(request)
            overwriting.memory.note(document.name, answer.entityTag)
            return row(document, answer, isNew: stored.outcome == .created)
        } catch {
            guard case .refused(let answer) = error else { throw error }
            var row = PushRow(document, .refused, findings: stored.findings + faults(of: document, answer))
            (row.revision, row.state) = (stored.revision, stored.state)
            return row
        }
    }

    private func row(_ document: SourceDocument, _ answer: RemoteResponse, isNew: Bool = false) -> PushRow {
        let receipt = (try? answer.json())?.object
        let revision = receipt?["revision"]?.integer
        let state = receipt?["state"]?.string
        let isUnchanged =
            if case .recipe(let slug) = document.name {
                app.recipes?[slug].map { $0.revision == revision && $0.state == state } ?? false
            } else {
                answer.entityTag.map { $0 == overwriting.version(of: document.name)?.tag } ?? false
            }
        let isCreated = answer.status == 201 || isNew
        var warnings = answer.findings("warnings").map { document.located($0, isFault: false) }
        if document.name == .manifest, let checkedManifest {
            warnings.removeAll { Self.codesOfStrings.contains($0.finding.code) }
            warnings += checkedManifest.filter { Self.codesOfStrings.contains($0.finding.code) }
        }
        var row = PushRow(
            document, isCreated ? .created : isUnchanged ? .unchanged : .changed, findings: warnings)
        (row.revision, row.state) = (revision, state)
        return row
    }
}
