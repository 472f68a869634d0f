import BellwetherJSON
import TestSupport
import Testing

@testable import Surveys

/// Phone numbers as people write them (docs/reference/flows.md#phone-numbers).
struct PhoneNumberTests {
    /// `Scripts/phones` makes the vectors from PyPI's phonenumbers.
    @Test func everyVectorHasTheNumberOfPhonenumbers() throws {
        let cases = try #require(try VectorFile.read("phones").object?["cases"]?.array)
        #expect(cases.count > 3_000)
        for vector in cases {
            let (region, text) = (vector.object?["region"]?.string, vector.object?["text"]?.string ?? "")
            let number = PhoneNumber(text, country: region)
            #expect(number?.e164 == vector.object?["e164"]?.string, "\(region ?? ""): \(text)")
        }
    }

    @Test(
        arguments: [
            ("+1 555 123 4567", nil, "+15551234567"), ("+1 (555) 123-4567", nil, "+15551234567"),
            ("(555) 123-4567", "US", "+15551234567"), ("1-555-123-4567", "US", "+15551234567"),
            ("555.123.4567", "CA", "+15551234567"), ("0170/1234567", "DE", "+491701234567"),
            ("0049 170 1234567", "DE", "+491701234567"), ("0049 170 1234567", nil, "+491701234567"),
            ("011 49 170 1234567", "US", "+491701234567"), ("+49 (0)170 1234567", "US", "+491701234567"),
            ("06 1234 5678", "IT", "+390612345678"), ("+39 06 1234 5678", "DE", "+390612345678"),
            ("０３−３１２３−４５６７", "JP", "+81331234567"), ("٠١٠٠١٢٣٤٥٦٧", "EG", "+201001234567"),
            ("tel:+1-555-123-4567;ext=12", nil, "+15551234567"), ("+1 555 123 4567 ext. 12", nil, "+15551234567"),
            ("8 (912) 345-67-89", "RU", "+79123456789"), ("011 15-2345-6789", "AR", "+5491123456789"),
            ("\u{202A}+49 170 1234567\u{202C}", nil, "+491701234567"),
        ] as [(String, String?, String)])
    func aNumberWithACountryIsWrittenInE164(_ text: String, _ country: String?, _ wanted: String) {
        #expect(PhoneNumber(text, country: country)?.e164 == wanted)
    }

    @Test(arguments: [("(555) 123-4567", nil), ("0170/1234567", nil), ("0170/1234567", "US"), ("555-1234", "US")])
    func aNumberWithoutACountryIsANumberAndNoMore(_ text: String, _ country: String?) throws {
        #expect(try #require(PhoneNumber(text, country: country)).e164 == nil)
    }

    @Test(arguments: [
        "", "+", "1234", "12ab567", "+1 555 123", "+1 555 123 45678", "+999 1234567", "ada@example.org", "call me",
        "++49 170 1234567", "49+170 1234567", "1234567890123456", "555-123-4567 ext", "555-123-4567 or 8",
        String(repeating: " ", count: 200) + "5551234567",
    ])
    func anotherTextIsNoNumber(_ text: String) { #expect(PhoneNumber(text, country: "US") == nil) }
}
