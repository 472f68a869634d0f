import BellwetherJSON
import BellwetherService
import Testing

@testable import BellwetherAPI

@Suite struct ReservedSlugsTests {
    @Test func `They are what stands in paths where others have a slug`() {
        let prefix = "/v1/apps/{app}/recipes/"
        let segments = Routes.all.map(\.pattern).filter { $0.hasPrefix(prefix) }
            .compactMap { $0.dropFirst(prefix.count).split(separator: "/").first }
            .map(String.init)
        #expect(segments.contains("{slug}"))
        #expect(Set(segments.map { Identifier($0) }).subtracting(["{slug}"]) == RecipeIntake.reservedSlugs)
    }
}
