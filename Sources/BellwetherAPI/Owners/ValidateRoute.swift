internal import BellwetherAuthoring
internal import BellwetherCore
public import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
public import JEXL

/// The trial of a PUT of a recipe, with the warnings of the PUT. Nothing is stored.
///
/// `notes` has what works but should be known before it goes live; it is absent if there is nothing.
enum ValidateRoute {
    /// The slug for the check of a recipe that has none.
    private static let anySlug: Identifier = "validated"

    @Sendable static func post(_ call: BackgroundCall) throws(APIError) -> Step {
        let app = try call.app()
        let query = try PublishQuery(call, [.strict, .slug])
        let value = try call.json()
        let findings = Findings()
        let slug = query.slug ?? value.object?["slug"]?.identifier ?? anySlug
        let publisher = call.services.publisher
        var intake = app.intake(
            of: slug, publisher.secrets, seenEvents: publisher.seenEvents(of: app.name), now: call.arrived)
        let stored = app.recipes[slug]?.stored
        // A repeated document is not published again, so its mistakes are not a reason to refuse it.
        intake.isStored = stored.flatMap { try? JSONValue(parsing: $0.document.text, limits: .kept) } == value
        if let segment = intake.read(value, findings: findings)?.segment,
            let fault = SegmentGraph(live: app.compiledApp.live).fault(of: segment, as: slug)
        {
            findings.fault(fault)
        }
        if query.isStrict { findings.promoteWarnings() }
        guard findings.faults.isEmpty else { throw .refusedDocument(findings.faults, warnings: findings.warnings) }
        var body: JSONObject = ["warnings": .array(findings.warnings.map(\.json))]
        if let note = PlainText.note(in: value, app.strings) { body["notes"] = [note.json] }
        return .respond(.json(200, .object(body)))
    }
}

extension JEXLError {
    /// `{kind, message, offset?}` (docs/reference/http-api.md#the-command-jexl).
    public var json: JSONValue {
        var members: JSONObject = ["kind": .string(kind.rawValue), "message": .string(message)]
        if let offset { members["offset"] = .integer(Int64(offset)) }
        return .object(members)
    }
}
