import BellwetherJSON
import Samples
import Testing

@testable import BellwetherCore

/// The facts about a message that remain after its recipe has ended.
@Suite struct KnownMessageTests {
    private func known(_ fields: JSONObject) throws -> KnownMessage {
        var document: JSONObject = ["text": "t", "surface": "new-tab-card", "experiment": "{experiment}"]
        for (key, value) in fields { document[key] = value }
        let catalog = try Sample.catalog(
            ["e": ["messages": ["m": .object(document)], "styles": ["S": ["max-display-count": 3]]]],
            in: Sample.manifest())
        return try #require(catalog.knownMessages.first)
    }

    @Test(
        arguments: [
            [:], ["surface": "microsurvey", "microsurveyConfig": ["options": ["a", "b"]]], ["is-control": true],
            ["style": "S"], ["style": "NOPE"], ["experiment": nil], ["experiment": ""], ["surface": "microsurvey"],
        ] as [JSONObject])
    func roundTrip(_ fields: JSONObject) throws {
        let known = try known(fields)
        let again = try #require(KnownMessage(key: "m", revision: known.revision, document: known.document))
        #expect(again == known)
        #expect(again.hasSameContent(as: known))
    }

    @Test func enrollmentIsNotRemembered() throws {
        let known = try known([:])
        #expect(known.facts.enrollment == nil && known.facts.experiment == "e")
    }

    @Test func optionsOfASurveyOnly() throws {
        #expect(try known([:]).options.isEmpty)
        #expect(try known(["surface": "microsurvey"]).options == MicrosurveyStrings.fallbackOptions)
    }

    @Test(
        arguments: [
            ["surface": "homescreen"], ["surface": "microsurvey"], ["is-control": true], ["style": "S"],
            ["experiment": nil], ["experiment": "f"],
        ] as [JSONObject])
    func contentDiffers(_ fields: JSONObject) throws {
        #expect(!(try known([:]).hasSameContent(as: known(fields))))
    }

    @Test func contentIsBytes() throws {
        let one = try known(["surface": "microsurvey", "microsurveyConfig": ["options": ["\u{E9}"]]])
        let other = try known(["surface": "microsurvey", "microsurveyConfig": ["options": ["e\u{301}"]]])
        #expect(!one.hasSameContent(as: other))
        #expect(try known(["title": "x"]).hasSameContent(as: known(["title": "y"])))
    }

    @Test(
        arguments: [
            nil, 1, [], [:],
            ["surface": "a", "control": 1, "microsurvey": true, "max_display_count": 1, "options": []],
            ["surface": "a", "control": true, "microsurvey": true, "max_display_count": "1", "options": []],
        ] as [JSONValue])
    func whatTheDaemonDidNotWrite(_ document: JSONValue) {
        #expect(KnownMessage(key: "m", revision: 1, document: document) == nil)
    }
}
