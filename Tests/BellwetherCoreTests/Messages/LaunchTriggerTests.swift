import BellwetherJSON
import Testing

@testable import BellwetherCore

/// The conditions on launches that an offer has, in this project's spelling and in that of Owlmetry's SDK
/// (docs/reference/messaging.md#counters).
@Suite struct LaunchTriggerTests {
    @Test(
        arguments: [
            (["launches": 3], 3, 0), (["afterLaunches": 3], 3, 0), (["daysSinceFirstLaunch": 7], 0, 604_800),
            (["hoursSinceFirstLaunch": 24], 0, 86_400),
            (["days_since_first_launch": 7, "hoursSinceFirstLaunch": 1], 0, 604_800),
            (["launches": 2, "afterLaunches": 5], 5, 0), (["launches": "3"], 0, 0), (["launchs": 3], 0, 0),
        ] as [(JSONValue, UInt64, Int64)])
    func `Both spellings are read`(_ trigger: JSONValue, _ launches: UInt64, _ seconds: Int64) {
        let read = LaunchTrigger(trigger)
        #expect(read?.launches == launches && read?.seconds == seconds)
    }
}
