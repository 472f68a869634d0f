import BellwetherBase
import BellwetherCore
import BellwetherJSON
import StoreSupport
import Surveys
import TestSupport
import Testing

@testable import BellwetherService

/// Saves, identifications and deletions of a user's clients at several nodes at once. The user's facts must be those of
/// the same requests one after another (docs/reference/audiences.md#answers).
///
/// The test also runs a store that compares no versions, and must detect it.
@Suite struct FactNodeModelTests {
    private static let persons = 4
    /// The questionnaires that are answered before the clients are identified, and while they are.
    private static let (early, late) = (0..<3, 3..<8)

    private static let scene = Scene(recipes: [
        "q0": questionnaire(0), "q1": questionnaire(1), "q2": questionnaire(2), "q3": questionnaire(3),
        "q4": questionnaire(4), "q5": questionnaire(5), "q6": questionnaire(6), "q7": questionnaire(7),
    ])

    /// A questionnaire whose answer is a fact of its own, and one that all have.
    private static func questionnaire(_ number: Int) -> JSONValue {
        [
            "kind": "questionnaire", "name": "Q", "facts": ["n": "n", "f\(number)": "n"],
            "schema": ["version": 1, "questions": [["id": "n", "type": "nps", "title": "?"]]],
        ]
    }

    /// Without the deleted answer to the first questionnaire. The newest answer is that to the last one.
    private static let expected = (0..<persons).map { _ in
        ["f1=1.0", "f2=2.0", "f3=3.0", "f4=4.0", "f5=5.0", "f6=6.0", "f7=7.0", "n=7.0"]
    }

    @Test(arguments: StoreKind.allCases)
    func `The facts of a user are those of all nodes`(_ kind: StoreKind) async throws {
        let test = try ContractStore(kind)
        #expect(try await facts(test.store) == Self.expected)
    }

    @Test func `A store that compares no versions loses facts`() async throws {
        var isFound = false
        for _ in 0..<8 where !isFound {
            isFound = try await facts(TestStore(sharing: .asked), comparingVersions: false) != Self.expected
        }
        #expect(isFound)
    }

    private func facts(_ store: any Store, comparingVersions: Bool = true) async throws -> [[String]] {
        let readers = Readers(seconds: comparingVersions ? 0.001 : 0.2)
        let nodes = (0..<3).map { _ in
            Persistence(NodeStore(store, readers: readers, comparesVersions: comparingVersions))
        }
        let app = try #require(Self.scene.snapshot)
        func saves(_ numbers: Range<Int>) -> [Request] {
            numbers.flatMap { number in (0..<Self.persons).map { .save(number, person: $0) } }
        }
        try await perform(saves(Self.early), nodes, app)
        let others = (0..<Self.persons).flatMap { person in
            [0, 1].map { Request.identify(client: $0, person: person) } + [.delete(person: person)]
        }
        var random = SeededGenerator(seed: 7)
        try await perform((saves(Self.late) + others).shuffled(using: &random), nodes, app)
        return try (0..<Self.persons).map { person in
            let name = RowName.user(UserReference(app: Scene.app, id: Identifier("u\(person)")))
            guard case .client(let state)? = try store.row(name)?.value else { return [] }
            return state.facts.json.map { "\($0.key)=\($0.value.text)" }.sorted()
        }
    }

    private enum Request {
        case save(Int, person: Int)
        case identify(client: Int, person: Int)
        /// The answer to the first questionnaire.
        case delete(person: Int)
    }

    /// Sends the requests to the nodes in turn, all at once.
    private func perform(_ requests: [Request], _ nodes: [Persistence], _ app: AppSnapshot) async throws {
        let results = await withCheckedContinuation { done in
            let told = ResultCollector<Bool>(count: requests.count) { done.resume(returning: $0) }
            for (index, request) in requests.enumerated() {
                send(request, to: nodes[index % nodes.count], app) { told.add($0, at: index) }
            }
        }
        for result in results { #expect(try result.get()) }
    }

    private func send(
        _ request: Request, to node: Persistence, _ app: AppSnapshot,
        _ completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
    ) {
        switch request {
        case .save(let number, let person):
            guard let recipe = app.recipes[Identifier("q\(number)")], let survey = recipe.survey else {
                return completion(.success(false))
            }
            let ids = RespondentIDs(
                app: Scene.app, clientID: Identifier("c\(person)\(number % 2)"), userID: nil)
            let save = SaveRun.Request(
                ids: ids, slug: Identifier("q\(number)"),
                save: RunSave(answers: ["n": .integer(Int64(number))], isComplete: true),
                newID: Identifier("run\(person) \(number)"), webhookID: Identifier("w\(person) \(number)"))
            let time = Scene.start.adding(seconds: Int64(number))
            SaveRun(save, of: recipe, survey, in: app, now: time).run(by: ActionDriver(node)) { result in
                completion(result.map { if case .done(.saved) = $0 { true } else { false } })
            }
        case .identify(let client, let person):
            let reference = ClientReference(app: Scene.app, id: Identifier("c\(person)\(client)"))
            let time = Scene.start.adding(seconds: 100)
            IdentifyClient.run(reference, as: Identifier("u\(person)"), by: .app, in: app, node, now: time) { result in
                completion(result.map { if case .identified = $0 { true } else { false } })
            }
        case .delete(let person):
            let run = RunReference(app: Scene.app, id: Identifier("run\(person) 0"))
            ChangeRun(.delete, of: run, by: "t", now: Scene.start.adding(seconds: 100)).run(in: node) { result in
                completion(result.map { if case .changed = $0 { true } else { false } })
            }
        }
    }
}
