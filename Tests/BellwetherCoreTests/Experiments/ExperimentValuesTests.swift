import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// The values that are read from a recipe's fields.
@Suite struct ExperimentValuesTests {
    private func branches(_ fields: JSONObject) -> JSONObject {
        var branch: JSONObject = ["slug": "a", "ratio": 1]
        for (key, value) in fields { branch[key] = value }
        return ["branches": [.object(branch)]]
    }

    @Test func theOneFeatureOfOlderRecipes() throws {
        let experiment = try SampleExperiment.experiment(
            "e", branches(["feature": ["featureId": "f", "enabled": true, "value": ["x": 1]]]))
        #expect(experiment.branches.first?.value(of: "f") == ["x": 1])
        #expect(experiment.featureIDs == ["f"])
    }

    @Test func theListIsPreferredToTheOneFeature() throws {
        let experiment = try SampleExperiment.experiment(
            "e", branches(["feature": ["enabled": false], "features": [["featureId": "g"]]]))
        #expect(experiment.featureIDs == ["g"])
        #expect(experiment.branches.first?.value(of: "g") == [:])
    }

    @Test func featuresOfAllBranchesAreHeldOnce() throws {
        let branches: JSONValue = [
            ["slug": "a", "ratio": 1, "features": [["featureId": "f"], ["featureId": "g"]]],
            ["slug": "b", "ratio": 1, "features": [["featureId": "g"], ["featureId": "h"]]],
        ]
        #expect(try SampleExperiment.experiment("e", ["branches": branches]).featureIDs == ["f", "g", "h"])
    }

    @Test func messagingIsReadWithItsAliases() throws {
        let findings = Findings()
        let value: JSONValue = [
            "messages": ["{experiment}-m": ["text": "T", "trigger": ["ALWAYS"], "experiment": "{experiment}"]]
        ]
        let experiment = Experiment.read(
            SampleExperiment.document(branches(["features": [["featureId": "messaging", "value": value]]])),
            slug: "e", revision: 1, manifest: try Sample.manifest(), findings: findings)
        #expect(
            experiment?.branches.first?.value(of: "messaging") == [
                "messages": ["e-m": ["text": "T", "trigger-if-all": ["ALWAYS"], "experiment": "e"]]
            ])
        #expect(
            findings.warningLocations == ["alias /branches/0/features/0/value/messages/{experiment}-m/trigger"])
    }

    @Test func expressionsInMessagingMustParse() throws {
        let findings = Findings()
        let value: JSONValue = ["triggers": ["T": "!true"]]
        let experiment = Experiment.read(
            SampleExperiment.document(branches(["feature": ["featureId": "messaging", "value": value]])), slug: "e",
            revision: 1, manifest: try Sample.manifest(), findings: findings)
        #expect(experiment == nil)
        #expect(findings.faultLocations == ["jexl_parse /branches/0/feature/value/triggers/T"])
    }

    @Test func slugsAreReplacedInOtherFeaturesToo() throws {
        let experiment = try SampleExperiment.experiment(
            "e", branches(["features": [["featureId": "f", "value": ["{experiment}": ["x-{experiment}"]]]]]))
        #expect(experiment.branches.first?.value(of: "f") == ["e": ["x-e"]])
    }

    @Test func channels() throws {
        #expect(try SampleExperiment.experiment().channels == ["release"])
        #expect(try SampleExperiment.experiment("e", ["channel": nil]).channels.isEmpty)
        #expect(
            try SampleExperiment.experiment("e", ["channel": nil, "channels": ["a", "b"]]).channels == ["a", "b"])
        #expect(try SampleExperiment.experiment("e", ["channels": ["a"]]).channels == ["release"])
    }

    @Test func dates() throws {
        let dates = try SampleExperiment.experiment(
            "e",
            [
                "publishedDate": "2025-07-01T10:11:12.345678Z", "startDate": "2025-07-02",
                "endDate": "2025-09-01T00:00:00+02:00", "enrollmentEndDate": "someday",
            ]
        ).dates
        #expect(dates.published?.rfc3339 == "2025-07-01T10:11:12.345Z")
        #expect(dates.start?.rfc3339 == "2025-07-02T00:00:00Z")
        #expect(dates.end?.rfc3339 == "2025-08-31T22:00:00Z")
    }

    @Test func theRest() throws {
        let experiment = try SampleExperiment.experiment(
            "e", ["isRollout": true, "isEnrollmentPaused": true, "isFirefoxLabsOptIn": true, "appName": nil])
        #expect(experiment.isRollout && experiment.isEnrollmentPaused && experiment.isFirefoxLabsOptIn)
        #expect(experiment.appName == nil)
        #expect(experiment.bucketConfig.randomizationUnit == .nimbusID)
        #expect(experiment.bucketConfig.namespace == "n-e")
        #expect(experiment.branch("treatment")?.ratio == 1)
        #expect(experiment.branch("other") == nil)
    }
}
