import TestSupport
import Testing

/// The caches of responses and enrollments are invisible. A poll returns and records the same as without caches, and a
/// 304 stands for a body that has not changed.
@Suite struct PollPropertyTests {
    @Test(arguments: 0..<Trials.count(6, many: 40) as Range<UInt64>)
    func `Remembering changes no answer and no effect`(_ seed: UInt64) throws {
        var world = try PollingWorld(seed: seed)
        for _ in 0..<3 { try world.publishAny() }
        for _ in 0..<100 { try world.stepOn() }
        #expect(world.unchanged > 0, "the test tests nothing")
    }

    @Test(arguments: 100..<Trials.count(103, many: 120) as Range<UInt64>)
    func `So it is while the clock steps back and forth by months`(_ seed: UInt64) throws {
        var world = try PollingWorld(seed: seed, isSteppingBack: true)
        for _ in 0..<3 { try world.publishAny() }
        for _ in 0..<100 { try world.stepOn() }
        #expect(world.unchanged > 0, "the test tests nothing")
    }

    @Test func `Polls do have effects`() throws {
        var effects = 0
        for seed in 0..<5 {
            var world = try PollingWorld(seed: UInt64(seed))
            for _ in 0..<60 { try world.stepOn() }
            effects += world.effects
        }
        #expect(effects > 0)
    }
}
