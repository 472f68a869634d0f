import BellwetherJSON
import Synchronization
import Testing

@testable import BellwetherService

/// The order in which actions on runs wait, and the limit of what may wait.
@Suite struct FlowTurnsTests {
    private typealias End = @Sendable () -> Void

    private static func run(_ id: String) -> FlowTurns.Subject { .run(RunReference(app: "app", id: Identifier(id))) }

    @Test func `Actions on one run begin one after another, and others at once`() {
        let turns = FlowTurns()
        let begun = Mutex<[String]>([])
        let ends = Mutex<[String: End]>([:])
        for (name, run) in [("a1", "a"), ("a2", "a"), ("b1", "b"), ("a3", "a")] {
            let isTaken = turns.take(Self.run(run), bytes: 1) { hasWaited, end in
                begun.withLock { $0.append(name + (hasWaited ? " later" : "")) }
                ends.withLock { $0[name] = end }
            }
            #expect(isTaken)
        }
        #expect(begun.withLock(\.self) == ["a1", "b1"])
        for name in ["a1", "b1", "a2", "a3"] { ends.withLock { $0[name] }?() }
        #expect(begun.withLock(\.self) == ["a1", "b1", "a2 later", "a3 later"])
        let isTaken = turns.take(Self.run("a"), bytes: 1) { hasWaited, end in
            begun.withLock { $0.append("a4" + (hasWaited ? " later" : "")) }
            end()
        }
        #expect(isTaken && begun.withLock { $0.last } == "a4")
    }

    /// Each action ends before its call returns, so the test also shows that the stack does not grow.
    @Test func `As many as may be wait, end at once and leave their places`() {
        let turns = FlowTurns()
        let first = Mutex<End?>(nil)
        let count = Mutex(0)
        for round in 1...2 {
            _ = turns.take(Self.run("a"), bytes: 0) { _, end in first.withLock { $0 = end } }
            for _ in 1..<FlowTurns.maximumActions {
                let isTaken = turns.take(Self.run("a"), bytes: 0) { _, end in
                    count.withLock { $0 += 1 }
                    end()
                }
                #expect(isTaken)
            }
            #expect(!turns.take(Self.run("b"), bytes: 0) { _, end in end() })
            first.withLock(\.self)?()
            #expect(count.withLock(\.self) == round * (FlowTurns.maximumActions - 1))
        }
    }

    @Test func `Bytes that wait are bounded`() {
        let turns = FlowTurns()
        let first = Mutex<End?>(nil)
        #expect(turns.take(Self.run("a"), bytes: FlowTurns.maximumBytes - 1) { _, end in first.withLock { $0 = end } })
        #expect(!turns.take(Self.run("b"), bytes: 2) { _, end in end() })
        #expect(turns.take(Self.run("b"), bytes: 1) { _, end in end() })
        first.withLock(\.self)?()
        #expect(turns.take(Self.run("b"), bytes: FlowTurns.maximumBytes) { _, end in end() })
    }
}
