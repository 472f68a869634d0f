internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService

/// The findings before anything is sent. One document with a fault stops the whole push.
///
/// The documents are checked locally: under the pushed manifest, else under the daemon's manifest, and with the strings
/// of both. If only recipes are pushed, the daemon checks them instead, together with all documents that it serves
/// (`…/recipes/validate`).
struct PushCheck {
    /// The findings, by the documents' indices.
    private(set) var findings: [[LocatedFinding]]

    private let documents: [SourceDocument]
    private let app: RemoteApp
    private let isStrict: Bool

    init(
        _ documents: [SourceDocument], _ app: RemoteApp, _ overwriting: OverwriteGuard, isStrict: Bool
    ) throws {
        self.documents = documents
        self.app = app
        self.isStrict = isStrict
        findings = documents.map { _ in [] }
        try checkHere()
        if !hasFaults, documents.allSatisfy({ $0.name.kind == "recipe" }) { try checkThere() }
        for (index, document) in documents.enumerated() where isReadOnly(document.name) {
            let finding = Finding(
                pointer: .root, code: "read_only", message: "the daemon has it from a file, and it changes there")
            findings[index].append(document.located(finding, isFault: true))
        }
        for (index, document) in documents.enumerated() {
            guard let finding = try overwriting.finding(about: document) else { continue }
            findings[index].append(document.located(finding, isFault: true))
        }
    }

    var hasFaults: Bool { findings.contains { $0.contains(where: \.isFault) } }

    private mutating func checkHere() throws {
        let states = app.recipes?.compactMapValues(\.recipeState) ?? [:]
        let outcomes = AppCheck(try files(), over: states).outcomes
        for (index, document) in documents.enumerated() {
            guard let outcome = outcomes.first(where: { $0.name == document.name }) else { continue }
            if let error = outcome.syntax {
                findings[index].append(LocatedFinding(error, path: document.source.path))
            }
            findings[index] += outcome.faults.map { document.located($0, isFault: true) }
            findings[index] += outcome.warnings.map { document.located($0, isFault: isStrict) }
        }
    }

    /// The app's future documents under which other documents are checked.
    private func files() throws -> FileCatalog.App {
        var files = FileCatalog.App()
        for document in documents { files.take(document) }
        if files.manifest == nil { files.manifest = try present(.manifest) }
        for locale in app.locales where files.strings[locale] == nil {
            files.strings[locale] = try present(.strings(locale: locale))
        }
        return files
    }

    private func present(_ name: DocumentName) throws -> FileCatalog.File? {
        try app.document(name).map { FileCatalog.File(path: app.name.text, text: $0) }
    }

    /// Replaces the local findings by the daemon's findings, which have more information.
    private mutating func checkThere() throws {
        let progress = Progress("checking \(app.name)", of: Int64(documents.count))
        defer { progress.finish() }
        for (index, document) in documents.enumerated() {
            let request = app.request("POST", ["recipes", "validate"]).with("slug", document.name.text?.text)
                .with("strict", isStrict ? "true" : nil).with(json: document.text)
            findings[index] = try validation(request, of: document)
            progress.show(Int64(index + 1))
        }
    }

    private func validation(_ request: RemoteRequest, of document: SourceDocument) throws -> [LocatedFinding] {
        do throws(RemoteFailure) {
            return try app.daemon.send(request).findings("warnings").map { document.located($0, isFault: false) }
        } catch {
            guard case .refused(let answer) = error, [400, 413, 422].contains(answer.status) else { throw error }
            return answer.findings("errors").map { document.located($0, isFault: true) }
        }
    }

    private func isReadOnly(_ name: DocumentName) -> Bool {
        switch name {
        case .manifest: app.isManifestReadOnly
        case .strings: false
        case .recipe(let slug): app.recipes?[slug]?.isReadOnly ?? false
        }
    }
}
