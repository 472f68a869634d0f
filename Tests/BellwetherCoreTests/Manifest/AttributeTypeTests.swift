import BellwetherCore
import BellwetherJSON
import Testing

/// Query attributes are converted to the type that the manifest declares (docs/reference/http-api.md#the-poll).
@Suite struct AttributeTypeTests {
    @Test(
        arguments: [
            (.string, "5", "5"), (.string, "", ""), (.string, "true", "true"), (.number, "5", 5),
            (.number, "-5.5", -5.5),
            (.number, "5.0", 5.0), (.boolean, "true", true), (.boolean, "false", false),
            (.array, #"["a",1]"#, ["a", 1]), (.object, #"{"a":1}"#, ["a": 1]), (.number, "", nil), (.number, "x", nil),
            (.number, "1e999", nil), (.number, "0x10", nil), (.number, #""5""#, nil), (.number, "null", nil),
            (.number, "5 6", nil), (.boolean, "TRUE", nil), (.boolean, "1", nil), (.array, "{}", nil),
            (.object, "[]", nil), (.object, #"{"a":1,"a":2}"#, nil),
        ] as [(AttributeType, String, JSONValue?)])
    func decodes(_ type: AttributeType, _ text: String, _ expected: JSONValue?) {
        #expect(type.decode(text) == expected)
    }

    @Test func depthIsBounded() {
        let deep = String(repeating: "[", count: 17) + String(repeating: "]", count: 17)
        #expect(AttributeType.array.decode(deep) == nil)
    }

    @Test(arguments: AttributeType.allCases)
    func admitsItsOwnTypeAndNull(_ type: AttributeType) {
        let values: [AttributeType: JSONValue] = [
            .string: "a", .number: 1, .boolean: true, .object: [:], .array: [],
        ]
        for (other, value) in values { #expect(type.admits(value) == (type == other)) }
        #expect(type.admits(.null))
        #expect(type.admits(1.5) == (type == .number))
    }
}
