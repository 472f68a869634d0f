import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// The required and the optional fields of a recipe, and the values that they give
/// (docs/reference/experiments.md#recipe-documents).
@Suite struct ExperimentReadingTests {
    private func findings(_ document: JSONValue, slug: Identifier = "e") throws -> Findings {
        let findings = Findings()
        let experiment = Experiment.read(
            document, slug: slug, revision: 1, manifest: try Sample.manifest(), findings: findings)
        #expect((experiment == nil) == !findings.faults.isEmpty)
        return findings
    }

    private func faults(_ changes: JSONObject) throws -> [String] {
        try findings(SampleExperiment.document(changes)).faultLocations
    }

    @Test func aCompleteRecipeHasNoFindings() throws {
        let findings = try findings(SampleExperiment.document())
        #expect(findings.warningLocations.isEmpty)
    }

    @Test(arguments: [JSONValue.array([]), "text", 1, true, nil])
    func notAnObject(_ document: JSONValue) throws { #expect(try findings(document).faultLocations == ["type "]) }

    @Test(arguments: [
        "schemaVersion", "slug", "userFacingName", "userFacingDescription", "isEnrollmentPaused", "bucketConfig",
        "branches", "proposedEnrollment",
    ])
    func requiredFields(_ key: String) throws {
        #expect(try faults([key: nil]) == ["required /\(key)"])
        #expect(try faults([key: 0.5]) == ["type /\(key)"])
        var document = SampleExperiment.fields()
        document[key] = JSONValue.null
        #expect(try findings(.object(document)).faultLocations == ["type /\(key)"])
    }

    @Test(arguments: ["randomizationUnit", "namespace", "start", "count"])
    func requiredFieldsOfBuckets(_ key: String) throws {
        #expect(try faults(SampleExperiment.buckets([key: nil])) == ["required /bucketConfig/\(key)"])
        #expect(try faults(SampleExperiment.buckets([key: [:]])) == ["type /bucketConfig/\(key)"])
    }

    @Test(arguments: ["group_id", "normandy_id", "nimbus-id", "NIMBUS_ID", ""])
    func unitsThatTheSDKRefuses(_ unit: String) throws {
        let changes = SampleExperiment.buckets(["randomizationUnit": .string(unit)])
        #expect(try faults(changes) == ["choice /bucketConfig/randomizationUnit"])
    }

    @Test(
        arguments: [
            ("start", -1), ("count", -1), ("total", 0), ("total", -5), ("count", 4_294_967_296),
            ("total", 4_294_967_296),
        ] as [(String, Int64)])
    func bucketsOutOfRange(key: String, value: Int64) throws {
        #expect(try faults(SampleExperiment.buckets([key: .integer(value)])) == ["range /bucketConfig/\(key)"])
    }

    @Test func bucketsAreTenThousandUnlessTold() throws {
        let absent = try SampleExperiment.experiment("e", SampleExperiment.buckets(["total": nil]))
        #expect(absent.bucketConfig.total == 10_000)
        let findings = try findings(SampleExperiment.document(SampleExperiment.buckets(["total": "5"])))
        #expect(findings.warningLocations == ["type /bucketConfig/total"])
    }

    @Test(
        arguments: [
            ([], "empty /branches"), ([["slug": "a", "ratio": 0], ["slug": "b", "ratio": 0]], "ratios /branches"),
            ([["ratio": 1]], "required /branches/0/slug"), ([["slug": "a"]], "required /branches/0/ratio"),
            ([["slug": 1, "ratio": 1]], "type /branches/0/slug"),
            ([["slug": "a", "ratio": "1"]], "type /branches/0/ratio"),
            ([["slug": "a", "ratio": 1.0]], "type /branches/0/ratio"),
            ([["slug": "a", "ratio": -1]], "range /branches/0/ratio"), (["a"], "type /branches/0"),
            ([["slug": "a", "ratio": 1, "feature": [:]]], "required /branches/0/feature/featureId"),
            ([["slug": "a", "ratio": 1, "features": [5]]], "type /branches/0/features/0"),
            ([["slug": "a", "ratio": 1, "features": [["featureId": 5]]]], "type /branches/0/features/0/featureId"),
        ] as [(JSONValue, String)])
    func branches(_ branches: JSONValue, fault: String) throws {
        #expect(try faults(["branches": branches]) == [fault])
    }

    @Test(arguments: ["!true", "'open", "a ==", ""])
    func targetingThatDoesNotParse(_ source: String) throws {
        #expect(try faults(["targeting": .string(source)]) == ["jexl_parse /targeting"])
    }

    @Test func targetingThatIsNoTextDoesNotTargetEveryone() throws {
        #expect(try faults(["targeting": true]) == ["type /targeting"])
        #expect(try SampleExperiment.experiment("e", ["targeting": nil]).targeting == nil)
    }

    @Test func everyFaultIsFoundAtOnce() throws {
        let changes: JSONObject = [
            "schemaVersion": 1, "isEnrollmentPaused": "no", "targeting": "(", "branches": [["slug": "a", "ratio": -1]],
            "bucketConfig": ["randomizationUnit": "group_id", "namespace": "n", "start": -1, "count": 1, "total": 0],
        ]
        #expect(
            try faults(changes) == [
                "type /schemaVersion", "type /isEnrollmentPaused", "choice /bucketConfig/randomizationUnit",
                "range /bucketConfig/start", "range /bucketConfig/total", "range /branches/0/ratio",
                "jexl_parse /targeting",
            ])
    }

    @Test(arguments: [
        "appName", "appId", "channel", "isRollout", "proposedDuration", "referenceBranch", "startDate",
        "enrollmentEndDate", "endDate", "publishedDate", "outcomes", "locales", "localizations", "featureIds",
        "featureValidationOptOut", "isFirefoxLabsOptIn", "firefoxLabsTitle", "requiresRestart", "channels",
        "documentationLinks",
    ])
    func optionalFieldsOfTheWrongTypeAreWarnings(_ key: String) throws {
        // The channels of schema version 7 are read only if there is no channel.
        let findings = try findings(SampleExperiment.document([key: 0.5, "channel": key == "channel" ? 0.5 : nil]))
        #expect(findings.warningLocations == ["type /\(key)"])
    }

    @Test func slugMustAgreeWithThePath() throws {
        #expect(try findings(SampleExperiment.document(), slug: "f").faultLocations == ["slug_mismatch /slug"])
    }

    /// An experiment ends with a winner in this way
    /// (docs/decisions/archive/0117-a-winner-is-rolled-out-by-its-experiments-own-recipe.md).
    @Test func aBranchThatTakesNobodyMayStayInARollout() throws {
        var other = SampleExperiment.branch("b").object ?? [:]
        other["ratio"] = 0
        let findings = try findings(
            SampleExperiment.document([
                "branches": [SampleExperiment.branch("a"), .object(other)], "isRollout": true, "referenceBranch": "a",
            ]))
        #expect(findings.warningLocations == [])
    }

    @Test func oddBranchesAreWarnings() throws {
        let same = [SampleExperiment.branch("a"), SampleExperiment.branch("a")]
        let findings = try findings(
            SampleExperiment.document(["branches": .array(same), "isRollout": true, "referenceBranch": "b"]))
        #expect(
            findings.warningLocations == [
                "rollout_branches /branches", "duplicate /branches/1/slug", "unknown_branch /referenceBranch",
            ])
    }

    @Test func unknownFieldsAreNobodysConcern() throws {
        #expect(try findings(SampleExperiment.document(["probeSets": [], "arguments": [:]])).warningLocations.isEmpty)
    }
}
