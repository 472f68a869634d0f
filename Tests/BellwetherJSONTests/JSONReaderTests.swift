import BellwetherJSON
import Testing

@Suite struct JSONReaderTests {
    private let findings = Findings()

    private func reader(_ text: String) throws -> JSONReader {
        JSONReader(try JSONValue(parsing: text), findings: findings)
    }

    private func faults() -> [String] { findings.faults.map { "\($0.pointer) \($0.code)" } }
    private func warnings() -> [String] { findings.warnings.map { "\($0.pointer) \($0.code)" } }

    @Test func readsWhatIsAsAsked() throws {
        let reader = try reader(#"{"s":"é","b":true,"i":-3,"n":2.5,"a":[1],"o":{"k":"v"},"z":null}"#)
        #expect(reader.required("s")?.string(length: 1...1) == "é")
        #expect(reader.required("b")?.bool() == true)
        #expect(reader.required("i")?.integer(in: -3...3) == -3)
        #expect(reader.required("i")?.number() == -3)
        #expect(reader.required("n")?.number() == 2.5)
        #expect(reader.required("a")?.elements()?.first?.integer() == 1)
        #expect(reader.required("o")?.members()?.map(\.key) == ["k"])
        #expect(reader.required("o")?.object()?.count == 1)
        #expect(reader.required("z")?.value == .null)
        #expect(reader.optional("s")?.string() == "é")
        #expect(findings.faults.isEmpty && findings.warnings.isEmpty)
    }

    @Test func aMissingMemberIsFoundWhereItShouldBe() throws {
        let reader = try reader(#"{"a":{"z":null},"n":1}"#)
        #expect(reader.required("x") == nil)
        #expect(reader.required("a")?.required("y/~") == nil)
        #expect(reader.required("n")?.required("y") == nil)
        #expect(reader.required("n")?.required("z") == nil)
        #expect(faults() == ["/x required", "/a/y~1~0 required", "/n type"])
        #expect(findings.faults[0].message == #"the member "x" is missing"#)
    }

    @Test func anOptionalMemberMayBeMissingOrNull() throws {
        let reader = try reader(#"{"z":null}"#)
        #expect(reader.optional("z") == nil)
        #expect(reader.optional("x") == nil)
        #expect(try self.reader("[]").optional("x") == nil)
        #expect(faults().isEmpty)
    }

    @Test func everyWrongTypeIsFoundAndReadingGoesOn() throws {
        let reader = try reader(#"[null,"s",1.0,true,1,{},[]]"#)
        let elements = try #require(reader.elements())
        #expect(elements[0].string() == nil)
        #expect(elements[1].bool() == nil)
        #expect(elements[2].integer() == nil)
        #expect(elements[3].number() == nil)
        #expect(elements[4].elements() == nil)
        #expect(elements[5].string() == nil)
        #expect(elements[6].object() == nil)
        #expect(elements[6].members() == nil)
        #expect(faults() == (0...6).map { "/\($0) type" } + ["/6 type"])
        #expect(findings.faults[2].message == "expected an integer, found a float")
        #expect(findings.faults[0].message == "expected a string, found null")
    }

    @Test func lengthsAreInUnicodeScalars() throws {
        let reader = try reader(#"["e\u0301","👨‍👩‍👧",""]"#)
        let elements = try #require(reader.elements())
        #expect(elements[0].string(length: 2...2) == "e\u{301}")
        #expect(elements[1].string(length: 1...4) == nil)
        #expect(elements[2].string(length: 1...10) == nil)
        #expect(faults() == ["/1 length", "/2 length"])
        #expect(findings.faults[1].message == "expected 1 to 10 characters, found 0")
    }

    @Test func rangesAreClosed() throws {
        let elements = try #require(try reader("[0,1,10,11]").elements())
        #expect(elements.map { $0.integer(in: 1...10) } == [nil, 1, 10, nil])
        #expect(faults() == ["/0 range", "/3 range"])
    }

    private enum Color: String, CaseIterable { case red, green }

    @Test func aChoiceNamesTheChoices() throws {
        let elements = try #require(try reader(#"["red","blue",1]"#).elements())
        #expect(elements.map { $0.choice(Color.self) } == [.red, nil, nil])
        #expect(faults() == ["/1 choice", "/2 type"])
        #expect(findings.faults[0].message == #"expected one of "red", "green", found "blue""#)
    }

    @Test func unknownKeysAreFoundInOrder() throws {
        // U+212A, the Kelvin sign, is canonically equivalent to K, but has other bytes.
        try reader(#"{"b":1,"K":2,"a":3,"\u212a":4}"#).refuseUnknown(keys: ["a", "K"])
        #expect(faults() == ["/b unknown_key", "/\u{212A} unknown_key"])
    }

    @Test func tolerantReadingWarns() throws {
        let reader = try reader(#"{"a":{"b":"x"},"c":1}"#).tolerant
        #expect(reader.required("a")?.required("b")?.bool() == nil)
        #expect(reader.required("z") == nil)
        reader.refuseUnknown(keys: ["a"])
        reader.required("c")?.finding("own", "a rule of the caller's")
        reader.required("c")?.strict.finding("own", "a rule of the caller's")
        #expect(warnings() == ["/a/b type", "/z required", "/c unknown_key", "/c own"])
        #expect(faults() == ["/c own"])
    }

    @Test func aMisspelledKeyIsNoMissingOneToo() throws {
        let reader = try reader(#"{"limt":1,"other":2}"#).own
        reader.refuseUnknown(keys: ["limit"])
        _ = reader.strict.required("limit")
        _ = reader.strict.required("name")
        findings.settle(isStored: true)
        #expect(faults() == ["/name required", "/limt unknown_key"], "as severe as what is missing")
        #expect(warnings() == ["/other unknown_key"])
        findings.settle()
        #expect(faults() == ["/name required", "/limt unknown_key", "/other unknown_key"])
        #expect(warnings().isEmpty)
    }

    @Test func whatFollowsFromAMisspelledKeyIsNoFinding() throws {
        func read(_ document: JSONValue, _ findings: Findings) {
            let reader = JSONReader(document, findings: findings).tolerant
            for list in reader.optional("list")?.elements() ?? [] { list.refuseUnknown(keys: ["name", "size"]) }
            let names = reader.optional("list")?.elements()?.compactMap { $0.optional("name")?.value.string } ?? []
            if !names.contains("a") { reader.strict.finding("reference", "there is no a") }
            if !names.contains("b") { reader.finding("reference_b", "there is no b") }
        }
        let document = try JSONValue(parsing: Array(#"{"list":[{"size":1},{"nmae":"a"}]}"#.utf8))
        read(document, findings)
        let meant = try #require(findings.meaning(of: document))
        #expect(meant == ["list": [["size": 1], ["name": "a"]]])
        let found = Findings()
        read(meant, found)
        findings.dropConsequences(knowing: found)
        #expect(faults() == ["/list/1/nmae unknown_key"], "it is refused as before")
        #expect(warnings() == [" reference_b"])
        #expect(found.meaning(of: meant) == nil)
    }

    @Test func placesCountFromTheGivenPointer() throws {
        let reader = JSONReader([["x"]], at: JSONPointer(tokens: ["data", "0"]), findings: findings)
        #expect(reader.pointer.description == "/data/0")
        _ = reader.elements()?[0].elements()?[0].bool()
        #expect(faults() == ["/data/0/0/0 type"])
    }

    @Test func findingsAreBounded() throws {
        for _ in 0...Findings.maximum { findings.fault("x", at: .root, "") }
        #expect(findings.faults.count == Findings.maximum)
    }
}
