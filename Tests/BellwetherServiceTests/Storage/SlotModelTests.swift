import BellwetherBase
import BellwetherCore
import BellwetherJSON
import StoreSupport
import Surveys
import TestSupport
import Testing

@testable import BellwetherService

/// Random requests at several nodes in random order: answers, pictures, erasures of clients and users, identifications,
/// imports and deletions. Afterwards every slot and every picture that a run has is counted and stored once, and
/// everything that was acknowledged is there. When all people are erased, nothing is left, and the same requests one
/// after another have the results that they have in a new store.
///
/// The test also runs stores with one of two faults, and must detect each: one deletes a picture that another run takes
/// in the same commit; the other keeps the slots of erased runs.
@Suite struct SlotModelTests {
    static let seeds: [StoreKind: UInt64] = [.memory: 40, .sqlite: 6, .postgres: 3]

    @Test(arguments: StoreKind.allCases)
    func whatIsTakenIsCountedOnceAndGivenBackOnce(_ kind: StoreKind) throws {
        for seed in 0..<(Self.seeds[kind] ?? 0) {
            let test = try kind == .memory ? nil : ContractStore(kind)
            let store = test?.store ?? TestStore(sharing: .asked)
            var model = try SlotModel(seed: seed, store, nodes: kind == .sqlite ? 1 : 3)
            let faults = try model.play()
            #expect(faults.isEmpty, "seed \(seed): \(faults)")
        }
    }

    /// A file is deleted with the row that drops its last reference, even if a later row of the same write takes it.
    private let dropsFilesEarly = """
        CREATE TRIGGER run_write AFTER UPDATE ON run BEGIN DELETE FROM run_file WHERE run = NEW.key; END
        """

    /// A respondent replaces a picture in the commit in which another one sends the same picture.
    @Test(arguments: [false, true])
    func aPictureThatIsDroppedBeforeAnotherRunTakesItIsFoundMissing(_ isFaulty: Bool) throws {
        let store = TestStore(sharing: .asked, fault: isFaulty ? dropsFilesEarly : nil)
        var model = try SlotModel(seed: 0, store, nodes: 1)
        let first: [SlotModel.Request] = [
            .start(client: 0), .start(client: 1), .answer(client: 0, answer: 1, picture: 0),
        ]
        let together: [SlotModel.Request] = [
            .answer(client: 0, answer: 1, picture: 1), .answer(client: 1, answer: 1, picture: 0),
        ]
        let faults = try model.play(first, together: together)
        #expect(faults.contains { $0.contains("has lost a picture") } == isFaulty, "\(faults)")
        #expect(isFaulty || faults.isEmpty, "\(faults)")
    }

    @Test func anErasureThatKeepsSlotsIsFound() throws {
        var faults: [String] = []
        for seed in 0..<(Self.seeds[.memory] ?? 0) {
            let store = NodeStore(TestStore(sharing: .asked), readers: Readers(seconds: 0), keepsSlotsOfErased: true)
            var model = try SlotModel(seed: seed, store, nodes: 3)
            faults += try model.play()
        }
        #expect(faults.contains { $0.contains("counts") })
    }
}
