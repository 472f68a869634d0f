import BellwetherJSON
import Testing

@testable import Surveys

/// The requests to a provider of addresses, and the parsing of its responses (docs/reference/flows.md#addresses).
@Suite struct AddressTemplateTests {
    private static let url = "https://geo.example/v1?text={query}&lang={language}&key={key}"
    private static let properties = [
        "formatted_address": "formatted", "city": "town", "country_code": "cc", "timezone": "tz", "postal_code": "zip",
    ]

    @Test func whatWasTypedCannotChangeTheAddress() throws {
        let template = try AddressTemplate(Self.url, hasKey: true, properties: Self.properties)
        let query = LocationQuery("Köln &key={key}/../?#", kind: .address, language: "de")
        #expect(
            template.url(for: query, key: "a b")
                == "https://geo.example/v1?text=K%C3%B6ln%20%26key%3D%7Bkey%7D%2F..%2F%3F%23&lang=de&key=a%20b")
    }

    @Test func anAnswerIsReadByTheNamesOfItsProperties() throws {
        let template = try AddressTemplate(Self.url, hasKey: true, properties: Self.properties)
        let answer: JSONValue = [
            "type": "FeatureCollection",
            "features": [
                ["properties": ["other": "x"]], "no feature",
                [
                    "geometry": ["type": "Point", "coordinates": [6.95, 50.94]],
                    "properties": [
                        "formatted": "Domkloster 4, 50667 Köln", "town": "Köln", "cc": "de", "zip": "50667", "tz": "T",
                    ],
                ],
            ],
        ]
        let found = try #require(template.suggestions(in: answer, limit: 5) { $0 == "T" ? 60 : nil })
        #expect(
            found.map { JSONValue.object($0.json) } == [
                [
                    "formatted_address": "Domkloster 4, 50667 Köln", "city": "Köln", "state": nil, "state_code": nil,
                    "country": nil, "country_code": "DE", "latitude": 50.94, "longitude": 6.95, "timezone": "T",
                    "timezone_offset": 60, "postal_code": "50667",
                ]
            ])
        #expect(template.suggestions(in: ["type": "Feature"], limit: 5, offset: { _ in nil }) == nil)
    }

    @Test(arguments: [
        ("https://{query}.example/", false, ["city": "city"]), ("https://geo.example/?q={query}", true, ["city": "c"]),
        ("https://geo.example/?q={query}&k={key}", false, ["city": "city"]),
        ("https://geo.example/", false, ["city": "city"]),
        ("https://geo.example/{query}{user}", false, ["city": "city"]),
        ("https://geo.example/{query}", false, ["street": "street"]), ("https://geo.example/{query}", false, [:]),
    ])
    func aTemplateThatCannotWorkIsRefused(_ url: String, _ hasKey: Bool, _ properties: [String: String]) {
        #expect(throws: AddressTemplate.Fault.self) {
            try AddressTemplate(url, hasKey: hasKey, properties: properties)
        }
    }
}
