import BellwetherBase
import BellwetherJSON
import Surveys
import Testing

/// The origin of a response is stored with it.
@Suite struct RunOriginTests {
    @Test func `A run is read as it was written, with its origin and without`() {
        var run = Run(
            id: "r", slug: "s", kind: .questionnaire, revision: 1, respondent: .anonymous,
            at: Timestamp(milliseconds: 7))
        #expect(run.json["origin"] == nil && Run(run.json) == run)
        run.origin = RunOrigin(source: "owlmetry", id: "a-1")
        #expect(Run(run.json) == run)
    }
}
