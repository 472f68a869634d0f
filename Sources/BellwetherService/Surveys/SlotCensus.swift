internal import BellwetherCore
public import BellwetherJSON

/// The slots in quotas and limits and the files that runs have, and the rows that count them, in one state of a store
/// (docs/reliability.md#recounts).
///
/// Each write of a run changes its tallies in the same commit. So the difference between both is the same in every
/// state of the store, however many writes go on.
public struct SlotCensus: Sendable {
    /// The maximum number of runs that one census names. The next one finds the rest.
    public static let bound = 1_000

    /// The number of runs that have a slot.
    public struct Slots: Sendable {
        let app: Identifier
        /// The slot, as runs keep it.
        let slot: Identifier
        let count: Int

        public init(app: Identifier, slot: Identifier, count: Int) {
            (self.app, self.slot, self.count) = (app, slot, count)
        }
    }

    public var slots: [Slots] = []
    /// The tallies that are stored.
    public var tallies: [RowName: Tally] = [:]
    /// Runs that name a file without a reference to it.
    public var unreferring: [RunReference] = []

    public init() {}

    /// The changes that each tally needs to count what runs have taken.
    var differences: [RowName: Tally] {
        var differences: [RowName: Tally] = [:]
        for (name, tally) in tallies {
            if case .tally(let app, let key) = name, let counted = Tally.keyOfExpired(key) {
                differences[.tally(app: app, key: counted), default: Tally()].add(tally, times: 1)
            } else {
                differences[name, default: Tally()].add(tally, times: -1)
            }
        }
        for taken in slots {
            guard let slot = Tally.Slot(taken.slot) else { continue }
            var tally = Tally()
            if let quota = slot.quota { tally.slots[quota] = taken.count } else { tally.submitted = taken.count }
            differences[.tally(app: taken.app, key: slot.key), default: Tally()].add(tally, times: 1)
        }
        return differences.filter { $0.value.submitted != 0 || $0.value.slots.values.contains { $0 != 0 } }
    }
}
