import BellwetherBase
import BellwetherCore
import BellwetherJSON
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherService

/// The note about enrollments in a client's entry: its publication, its context and its end
/// (docs/decisions/archive/0075-a-clients-entry-says-until-when-its-enrollments-are-settled.md).
@Suite struct SettledEnrollmentsTests {
    private let scene = Scene(
        manifest: SampleManifest.with(["attributes": ["age": "number"]]),
        recipes: ["e": NimbusRecipe.experiment("e", ["b": NimbusRecipe.survey("m")])])
    private let now = Scene.start

    private func basis(_ attributes: [String: JSONValue], in scene: Scene? = nil) throws -> EnrollmentBasis {
        let poll = try (scene ?? self.scene).question(["microsurvey"], attributes)
        return EnrollmentBasis(poll.app, poll.query.context)
    }

    @Test func `It takes 16 bytes of an entry`() { #expect(MemoryLayout<SettledEnrollments>.stride == 16) }

    @Test func `It holds from when it was found until its end, for one basis`() throws {
        let basis = try basis(["age": 30])
        let settled = SettledEnrollments(basis, from: now, until: now.adding(seconds: 60))
        #expect(settled.end(for: basis, at: now) == now.adding(seconds: 60))
        #expect(settled.end(for: basis, at: now.adding(milliseconds: 59_999)) == now.adding(seconds: 60))
        #expect(settled.end(for: basis, at: now.adding(seconds: 60)) == nil)
        #expect(settled.end(for: basis, at: now.adding(milliseconds: -1)) == nil, "the clock was set back")
        #expect(settled.end(for: try self.basis(["age": 31]), at: now) == nil)
    }

    @Test func `What holds for a moment is not kept, and nothing for ever`() throws {
        let basis = try basis([:])
        #expect(SettledEnrollments(basis, from: now, until: now) == .none)
        let brief = SettledEnrollments(basis, from: now, until: now.adding(milliseconds: 999))
        #expect(brief.end(for: basis, at: now) == nil)
        let settled = SettledEnrollments(basis, from: now, until: .distantFuture)
        #expect(settled.end(for: basis, at: now.adding(seconds: 48 * 86_400)) != nil)
        #expect(settled.end(for: basis, at: now.adding(seconds: 49 * 86_400)) == nil)
        #expect(SettledEnrollments(basis, from: .distantFuture, until: .distantFuture) == .none)
        #expect(SettledEnrollments(basis, from: Timestamp(milliseconds: -1), until: now) == .none)
        #expect(SettledEnrollments.none.end(for: basis, at: Timestamp(seconds: 0)) == nil)
    }

    @Test func `A basis is of what targeting reads, byte for byte, and of a publication`() throws {
        #expect(try basis(["age": 1, "b": "x"]) == basis(["b": "x", "age": 1]))
        #expect(try basis(["age": 1]) != basis(["age": 1.0]))
        #expect(try basis(["age": "\u{e9}"]) != basis(["age": "e\u{301}"]))
        #expect(try basis(["a": "b"]) != basis(["ab": ""]))
        var later = scene
        later.put("e", NimbusRecipe.experiment("e", ["b": NimbusRecipe.survey("m")], ["isEnrollmentPaused": true]))
        #expect(try basis(["age": 1], in: later) != basis(["age": 1]))
    }

    @Test func `It stays with the row that it is of, and goes with it`() throws {
        let basis = try basis([:])
        let settled = SettledEnrollments(basis, from: now, until: now.adding(seconds: 60))
        let table = ClientTable(bound: 10)
        func held(_ number: Int) -> SettledEnrollments? {
            switch table.lookUp(.numbered(number)) {
            case .known(let client): client.settled
            case .absent(let settled): settled
            case .notLoaded: nil
            }
        }
        table.commit(.numbered(1), .showing(1))
        table.settle(.numbered(1), at: 0, settled)
        #expect(held(1) == SettledEnrollments.none, "another row was looked at")
        table.settle(.numbered(1), at: 1, settled)
        table.commit(.numbered(2), .showing(1))
        #expect(held(1) == settled && held(2) == SettledEnrollments.none)
        table.commit(.numbered(1), .showing(2))
        #expect(held(1) == SettledEnrollments.none)
        table.settle(.numbered(1), at: 1, settled)
        #expect(held(1) == SettledEnrollments.none, "the row was written meanwhile")
        _ = table.finish(table.beginLoad(.numbered(3)), nil)
        table.settle(.numbered(3), at: 0, settled)
        #expect(held(3) == settled)
        table.commit(.numbered(3), .showing(1))
        #expect(held(3) == SettledEnrollments.none)
        table.settle(.numbered(4), at: 0, settled)
        #expect(held(4) == nil)
    }

    /// A poll without effects sets the field in the entry of a client in memory, and the next poll uses it.
    @Test func `A poll that changes nothing settles the enrollments`() throws {
        let persistence = Persistence(TestStore(), threads: .inPlace)
        let poll = try scene.question(["microsurvey"], ["age": 30])
        let basis = EnrollmentBasis(poll.app, poll.query.context)
        func decide() -> DeliverMessages.Progress {
            DeliverMessages.decide(poll, memo: ContextMemo(for: poll.app.catalog), basis: basis, in: persistence)
        }
        func end() -> Timestamp? { persistence.held(poll.client)?.settled.end(for: basis, at: now) }
        persistence.load(poll.client) { _ in }
        guard case .needsWrite = decide() else { return #expect(Bool(false), "it enrolls") }
        #expect(end() == nil)
        persistence.submit(Transaction([DeliverMessages.change(poll, events: nil, policy: EventPolicy())])) { _ in }
        #expect(end() == nil)
        guard case .decided(let first, _) = decide() else { return #expect(Bool(false), "it is enrolled") }
        #expect(end() != nil)
        guard case .decided(let second, _) = decide() else { return #expect(Bool(false), "it is settled") }
        #expect(first.offers.map(\.message.key) == ["m"] && second.offers.map(\.message.key) == ["m"])
    }
}
