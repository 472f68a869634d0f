import BellwetherCore
import BellwetherJSON
import BellwetherService
import Testing

@testable import BellwetherAPI

/// The cache of encoded features stays within its limits, and never returns another client's features.
@Suite struct FeatureCacheTests {
    @Test(arguments: [(1, 1 << 20), (100, 1 << 20), (100, 60), (100, 1)])
    func `Whatever is kept, the answer is the same`(_ capacity: Int, _ bytes: Int) throws {
        let manifest: JSONValue = [
            "app_name": "a", "channel": "release", "default_locale": "en-US", "surfaces": ["card"],
        ]
        let branches = ["u", "v", "w", "x"]
        let recipe = CirrusRouteTests.recipe("e", feature: "g", branches: branches)
        let worker = try WorkerUnderTest(manifest: manifest, recipes: ["e": recipe])
        let app = try #require(worker.worker.snapshot.apps["app"])
        let answers = FeatureCache(capacity: capacity, bytes: bytes)
        var seen: Set<String> = []
        for number in 0..<60 {
            let enrollments = app.features.enrollments(userID: "client-\(number)", context: [:])
            let text = String(decoding: answers.features(of: app, enrollments), as: UTF8.self)
            #expect(text == #"{"g":{"from":"e/\#(enrollments.first?.branch ?? "?")"}}"#)
            seen.insert(text)
        }
        #expect(seen.count == branches.count)
    }
}
