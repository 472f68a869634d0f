import BellwetherCore
import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherService

/// A revision of a message always has the same content, whichever document changed the message; the store refuses
/// anything else.
@Suite struct MessageRevisionTests {
    private var editing = Editing()

    private static func survey(_ options: JSONValue, style: String = "S") -> JSONValue {
        [
            "messages": [
                "m": [
                    "surface": "microsurvey", "text": "t", "style": .string(style),
                    "microsurveyConfig": ["options": options],
                ]
            ]
        ]
    }

    private static func styles(_ cap: Int64) -> JSONObject {
        ["messaging": ["styles": ["S": ["max-display-count": .integer(cap)]]]]
    }

    private var revision: Int? { editing.snapshot?.catalog.message("m")?.revision }

    private func options(_ revision: Int) -> [Identifier]? {
        editing.snapshot?.known.message("m", revision: revision)?.options
    }

    init() throws { try editing.manifest(Self.styles(3)) }

    @Test mutating func isTheRecipesRevision() throws {
        for number in 1...3 {
            try editing.recipe("e", Self.survey([.string("\(number)")]))
            #expect(revision == number)
        }
        #expect(options(1) == ["1"] && options(2) == ["2"] && options(3) == ["3"])
    }

    @Test mutating func goesOnWhenAStyleChanges() throws {
        try editing.recipe("e", Self.survey(["a"]))
        try editing.manifest(Self.styles(5))
        #expect(revision == 2)
        try editing.recipe("e", Self.survey(["b"]))
        #expect(revision == 3 && options(1) == ["a"] && options(2) == ["a"] && options(3) == ["b"])
        editing.restart()
        #expect(revision == 3 && options(2) == ["a"])
    }

    @Test mutating func twoRecipesOfOneMessage() throws {
        try editing.recipe("e", Self.survey(["a"]))
        try editing.recipe("f", Self.survey(["b"]))
        #expect(revision == 2, "both documents are at 1")
        _ = try editing.put(.deleteRecipe(slug: "f"))
        #expect(revision == 1 && options(1) == ["a"] && options(2) == ["b"], "what it was before has its number")
        editing.restart()
        #expect(revision == 1)
    }

    /// The number stays, even if other recipes have published other variants of the message since.
    @Test mutating func aLiveFormKeepsItsNumberOverARestart() throws {
        func experiment(_ slug: Identifier, _ option: String) -> JSONValue {
            let survey: JSONObject = ["microsurveyConfig": ["options": [.string(option)]], "style": "S"]
            return NimbusRecipe.experiment(slug.text, ["b": NimbusRecipe.survey("m", survey)])
        }
        try editing.recipe("r1", experiment("r1", "a"))
        for number in 0..<25 { try editing.recipe("r2", experiment("r2", "\(number)")) }
        func numbers() -> [Int] {
            (editing.snapshot?.catalog.messages ?? []).filter { $0.key == "m" }.map(\.revision).sorted()
        }
        let before = numbers()
        #expect(before.first == 1)
        editing.restart()
        #expect(numbers() == before && options(1) == ["a"])
    }

    @Test mutating func sameContentKeepsItsNumber() throws {
        try editing.recipe("e", Self.survey(["a"]))
        try editing.manifest(Self.styles(5))
        let count = editing.changes.count
        try editing.recipe("f", ["messages": ["n": ["text": "t"]]])
        #expect(revision == 2)
        let told = editing.changes[count...].filter { if case .message = $0 { true } else { false } }
        #expect(told.count == 1, "n only")
    }

    @Test mutating func recipeOverTheManifestsMessage() throws {
        try editing.manifest(["messaging": ["messages": ["m": ["surface": "microsurvey", "text": "t"]]]])
        #expect(revision == 2)
        try editing.recipe("e", ["messages": ["m": ["microsurveyConfig": ["options": ["x"]]]]])
        #expect(revision == 3 && options(3) == ["x"])
        editing.restart()
        #expect(revision == 3)
    }

    @Test mutating func manifestDeletedAndPutAgain() throws {
        try editing.recipe("e", Self.survey(["a"]))
        _ = try editing.put(.deleteManifest)
        editing.restart()
        try editing.manifest(Self.styles(9))
        try editing.recipe("e", Self.survey(["z"]))
        #expect(try #require(revision) > 1 && options(1) == ["a"])
        editing.restart()
        #expect(editing.snapshot?.known.latest("m")?.options == ["z"])
    }

    @Test mutating func onlySomeRevisionsAreKeptInMemory() throws {
        for number in 1...25 { try editing.recipe("e", Self.survey([.string("\(number)")])) }
        #expect(options(25) == ["25"] && options(6) == ["6"] && options(5) == nil)
    }

    /// Two recipes of different ages have the same content in their branches. Each variant keeps its number at every
    /// publish.
    @Test mutating func sameContentOfTwoDocumentsKeepsBothNumbers() throws {
        let branches: KeyValuePairs<String, JSONValue> = ["t": NimbusRecipe.survey("m", ["experiment": "x"])]
        for text in ["1", "2", "3"] {
            try editing.recipe("e", NimbusRecipe.experiment("e", branches, ["userFacingName": .string(text)]))
        }
        for text in ["1", "2", "3", "4", "5"] {
            try editing.recipe("f", NimbusRecipe.experiment("f", branches, ["userFacingName": .string(text)]))
        }
        func numbers() -> Set<Int> { Set(editing.snapshot?.catalog.messages.map(\.revision) ?? []) }
        let first = numbers()
        #expect(first == [3, 5])
        try editing.manifest(Self.styles(7))
        #expect(numbers() == first)
        editing.restart()
        #expect(numbers() == first)
    }
}
