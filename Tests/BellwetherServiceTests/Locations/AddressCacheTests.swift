import Surveys
import Testing

@testable import BellwetherService

/// The number of a provider's responses that are cached, and for how long (docs/reference/flows.md#addresses).
@Suite struct AddressCacheTests {
    private static let place = LocationSuggestion(city: "Köln")

    private func query(_ number: Int) -> LocationQuery { LocationQuery("place \(number)", kind: .address) }

    @Test func anAnswerIsForgottenAfterTwentyMinutesAtMost() {
        var cache = AddressCache()
        cache.add([Self.place], to: query(1), at: 1000)
        #expect(cache.suggestions(to: query(1), at: 1599) == [Self.place])
        #expect(cache.suggestions(to: query(2), at: 1599) == nil)
        #expect(cache.suggestions(to: query(1), at: 1600) == [Self.place])
        #expect(cache.suggestions(to: query(1), at: 2200) == nil)
    }

    @Test func aClockThatStepsBackForgetsAll() {
        var cache = AddressCache()
        cache.add([Self.place], to: query(1), at: 1000)
        #expect(cache.suggestions(to: query(1), at: 999) == nil)
    }

    @Test func noMoreThanTwiceTheBoundAreKept() {
        var cache = AddressCache()
        let count = 3 * AddressCache.bound
        for number in 0..<count { cache.add([Self.place], to: query(number), at: 1000) }
        let kept = (0..<count).filter { cache.suggestions(to: query($0), at: 1000) != nil }
        #expect(kept.count <= 2 * AddressCache.bound && kept.contains(count - 1) && !kept.contains(0))
    }
}
