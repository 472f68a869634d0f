import BellwetherCore
import BellwetherJSON
import Testing

struct AttributeSubstitutionTests {
    private static let attributes: [String: JSONValue] = [
        "string": "STRING", "number": 42, "boolean": true, "false": false, "float": 2.0, "half": 0.5, "big": 1e16,
        "null": nil, "array": [1], "object": ["a": 1], "empty": "", "brace": "{string}", "a{b": "nested", "": "nothing",
        "unicode": "a̐éö̲", "a̐éö̲": "unicode", "foo}\u{301}": "foo-with-accented-brace", "negative": -7,
        "uuid": "an attribute",
    ]

    private func apply(_ template: String, uuid: String? = nil) -> String {
        AttributeSubstitution.apply(template, uuid: uuid) { Self.attributes[$0] }
    }

    @Test(arguments: [
        ("A {string}, a {number}, a {boolean}.", "A STRING, a 42, a true."),
        ("{false}{string}{number}", "falseSTRING42"),
        ("{float} {half} {big} {negative}", "2.0 0.5 1e16 -7"),
        ("fîré{empty}ƒøüX", "fîréƒøüX"),
        ("a̐éö̲{unicode}a̐éö̲", "a̐éö̲a̐éö̲a̐éö̲"),
        ("is this {a̐éö̲}?", "is this unicode?"),
        ("aa {foo}\u{301}}", "aa foo-with-accented-brace"),
        ("{a{b}", "nested"),
        ("{}", "nothing"),
        ("{string", "{string"),
        ("{string}}", "STRING}"),
        ("}{string}{", "}STRING{"),
        ("🧭{string}\r\n{number}", "🧭STRING\r\n42"),
        ("a single pass: {brace}", "a single pass: {string}"),
    ])
    func attributesTakeTheirPlaces(template: String, result: String) {
        #expect(apply(template) == result)
    }

    @Test(arguments: [
        "A {notthere}.", "aa { unclosed", "aa { unclosed {string", "{null}", "{array}", "{object}", "{ string }",
        "{STRING}",
        "{\u{301}string}", "{string}\u{301}", "no braces", "", "{", "}", "{uuid}",
    ])
    func everythingElseStays(template: String) {
        #expect(apply(template) == template)
    }

    @Test func theUuidTakesItsPlaceOnlyWhenThereIsOne() {
        #expect(apply("id{uuid}/{uuid}", uuid: "u-1") == "idu-1/u-1")
        #expect(apply("id{uuid}") == "id{uuid}")
    }

    @Test func aHostileTemplateIsReadInOnePass() {
        let open = String(repeating: "{", count: 100_000)
        #expect(apply(open) == open)
        #expect(apply(open + "}") == open + "}")
        let pairs = String(repeating: "{x}", count: 50_000)
        #expect(apply(pairs) == pairs)
    }
}
