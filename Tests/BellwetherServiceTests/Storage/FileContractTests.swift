import BellwetherBase
import BellwetherJSON
import BellwetherService
import Surveys
import TestSupport
import Testing

/// The behaviour of every `Store` with the files of runs (docs/reference/flows.md#files).
@Suite struct FileContractTests {
    private static let now = Timestamp(seconds: 1_790_000_000)
    private static let app: Identifier = "app"

    private static let one = FlowFile(type: "image/png", content: [1, 0, 255])
    private static let two = FlowFile(type: "image/jpeg", content: [2])

    private static func name(_ file: FlowFile, in app: Identifier = app) -> FileName {
        FileName(app: app, sha256: file.reference.sha256)
    }

    /// A run that refers to files.
    private static func run(_ id: String, _ files: [FlowFile], client: Identifier = "c1") throws -> Run {
        var json: JSONObject = [
            "id": .string(id), "slug": "tour", "kind": "flow", "revision": 1, "status": "draft",
            "client": .string(client), "client_id": .string(client), "answers": [:],
            "created_at": .integer(now.milliseconds), "updated_at": .integer(now.milliseconds),
        ]
        json["flow"] = [
            "path": ["a"], "visits": 1, "started_at": .integer(now.milliseconds),
            "files": .array(files.map(\.reference.json)),
        ]
        return try #require(Run(json))
    }

    /// Writes runs and the content of files.
    private func write(_ runs: [Run], _ files: [FlowFile], to store: any Store, app: Identifier = app) throws {
        let names = runs.map { RowName.run(RunReference(app: app, id: $0.id)) }
        var group = WriteGroup()
        group.rows = zip(zip(names, runs), try store.versions(of: names)).map {
            RowWrite(name: $0.0, expected: $1, value: .run($0.1))
        }
        group.files = files.map { FileWrite($0, of: app) }
        guard case .written? = try store.write([group]).first else { throw Failure("not written") }
    }

    /// Whether the store has each of the two files.
    private func found(_ store: any Store) throws -> [Bool] {
        try [Self.one, Self.two].map { try store.readFile(Self.name($0)) != nil }
    }

    @Test(arguments: StoreKind.allCases)
    func aFileIsReadByItsAppAndDigest(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        #expect(try test.store.readFile(Self.name(Self.one)) == nil)
        try write([Self.run("1", [Self.one])], [Self.one], to: test.store)
        let stored = StoredFile(type: "image/png", content: [1, 0, 255])
        #expect(try test.store.readFile(Self.name(Self.one)) == stored)
        #expect(try test.store.readFile(Self.name(Self.one, in: "other")) == nil)
        #expect(try test.store.readFile(Self.name(Self.two)) == nil)
        let run = try #require(
            try test.store.read(RowQuery(names: [.run(RunReference(app: Self.app, id: "1"))])).rows.first?.get())
        #expect(run.value == .run(try Self.run("1", [Self.one])))
        // The same bytes with another type: the first type stays.
        let renamed = FlowFile(type: "image/gif", content: [1, 0, 255])
        try write([Self.run("2", [renamed])], [renamed], to: test.store)
        #expect(try test.store.readFile(Self.name(Self.one)) == stored)
    }

    @Test(arguments: StoreKind.allCases)
    func aFileGoesWithItsLastReference(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        try write([Self.run("1", [Self.one]), Self.run("2", [Self.one])], [Self.one], to: test.store)
        try write([Self.run("1", [Self.two])], [Self.two], to: test.store)
        #expect(try found(test.store) == [true, true])
        try write([Self.run("2", [])], [], to: test.store)
        #expect(try found(test.store) == [false, true])
        try write([Self.run("2", [Self.one, Self.two])], [Self.one, Self.two], to: test.store)
        #expect(try found(test.store) == [true, true])
    }

    /// In one write, runs give files up before and after other runs take them.
    @Test(arguments: StoreKind.allCases)
    func aFileThatARunGivesUpStaysForTheRunThatTakesIt(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        try write([Self.run("1", [Self.one]), Self.run("4", [Self.two])], [Self.one, Self.two], to: test.store)
        let runs = try [
            Self.run("1", []), Self.run("2", [Self.one]), Self.run("3", [Self.two]), Self.run("4", []),
        ]
        try write(runs, [Self.one, Self.two], to: test.store)
        #expect(try found(test.store) == [true, true])
        #expect(try test.store.census().unreferring.isEmpty)
        try write([Self.run("2", []), Self.run("3", [])], [], to: test.store)
        #expect(try found(test.store) == [false, false])
    }

    @Test(arguments: StoreKind.allCases)
    func aRunWithoutItsFileIsFound(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        try write([Self.run("1", [Self.one]), Self.run("2", [])], [Self.one], to: test.store)
        try write([Self.run("2", [Self.one, Self.two])], [], to: test.store)
        #expect(try test.store.census().unreferring == [RunReference(app: Self.app, id: "2")])
    }

    @Test(arguments: StoreKind.allCases)
    func aFileWithoutARunIsNotKept(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        try write([Self.run("1", [Self.two])], [Self.one, Self.two], to: test.store)
        #expect(try found(test.store) == [false, true])
        try write([Self.run("2", [Self.one])], [], to: test.store)
        #expect(try found(test.store) == [false, true], "content comes with the run that brings it")
    }

    @Test(arguments: StoreKind.allCases)
    func aConflictWritesNoFile(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        try write([Self.run("1", [])], [], to: test.store)
        var group = WriteGroup()
        let name = RowName.run(RunReference(app: Self.app, id: "1"))
        group.rows = [RowWrite(name: name, expected: 0, value: .run(try Self.run("1", [Self.one])))]
        group.files = [FileWrite(Self.one, of: Self.app)]
        #expect(try test.store.write([group]) == [.conflict([name])])
        #expect(try found(test.store) == [false, false])
    }

    /// The erasure of a client and of a user; a file that another respondent's run refers to stays.
    @Test(arguments: StoreKind.allCases)
    func anErasureTakesFiles(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        var users = try Self.run("3", [Self.two], client: "c3")
        users.respondent = .user("ada")
        let runs = try [Self.run("1", [Self.one, Self.two]), Self.run("2", [Self.two], client: "c2"), users]
        try write(runs, [Self.one, Self.two], to: test.store)
        let origin = ChangeOrigin(author: "test", at: Self.now)
        func erase(_ client: Identifier) throws {
            let person = Person.client(ClientReference(app: Self.app, id: client))
            #expect(try test.store.erase(person, knownAs: [1], origin) == .erased)
        }
        try erase("c1")
        #expect(try found(test.store) == [false, true])
        try erase("c2")
        #expect(try found(test.store) == [false, true])
        let user = Person.user(UserReference(app: Self.app, id: "ada"))
        #expect(try test.store.erase(user, knownAs: [1], origin) == .erased)
        #expect(try found(test.store) == [false, false])
    }

    @Test(arguments: StoreKind.allCases)
    func filesOfADeletedRunAreNotShown(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        var run = try Self.run("1", [Self.one])
        try write([run], [Self.one], to: test.store)
        run.deletedAt = Self.now
        try write([run, Self.run("2", [Self.two])], [Self.two], to: test.store)
        #expect(try found(test.store) == [false, true])
        try write([Self.run("2", [Self.one])], [Self.one], to: test.store)
        #expect(try found(test.store) == [true, false])
    }

    /// The same file in two apps, each with a run of the same id: each app has its own copy.
    @Test(arguments: StoreKind.allCases)
    func `A file is found by the runs of its own app only`(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        for app in [Self.app, "other"] { try write([Self.run("1", [Self.one])], [Self.one], to: test.store, app: app) }
        var deleted = try Self.run("1", [Self.one])
        deleted.deletedAt = Self.now
        try write([deleted], [], to: test.store)
        #expect(try test.store.readFile(Self.name(Self.one)) == nil)
        #expect(try test.store.readFile(Self.name(Self.one, in: "other")) != nil)
        let found = try test.store.find(.runsWithFile(Self.name(Self.one, in: "other")), limit: 10)
        #expect(found.map(\.name) == [.run(RunReference(app: "other", id: "1"))])
    }
}
