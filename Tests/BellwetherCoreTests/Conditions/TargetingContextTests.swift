import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// The names that an expression can read, and their values if the client did not send them
/// (docs/reference/expressions.md#targeting-context).
@Suite struct TargetingContextTests {
    @Test func undeclaredNamesAreUndefined() {
        let context = Sample.context()
        #expect(context.value(of: "nothing") == .none)
        #expect(context.value(of: "is_default_browser") == .none, "the app's own, not sent")
    }

    @Test(arguments: SDKAttributes.types.keys.sorted())
    func namesOfTheSDKAreNullWhenNotSent(_ name: String) {
        let value = Sample.context().value(of: name)
        switch name {
        case "locale": #expect(value == "en-US")
        case "language": #expect(value == "en")
        case "region": #expect(value == "US")
        default: #expect(value == .some(.null))
        }
    }

    @Test func whatWasSentWins() {
        let context = Sample.context(["os": "iOS", "city": "Bern", "language": "rm", "age": nil], locale: "de-CH")
        #expect(context.value(of: "os") == "iOS" && context.value(of: "city") == "Bern")
        #expect(context.value(of: "language") == "rm" && context.value(of: "region") == "CH")
        #expect(context.value(of: "age") == .some(.null))
    }

    /// Locale, language, region (docs/reference/expressions.md#targeting-context).
    @Test(
        arguments: [
            ("de-AT", "de", "AT"), ("de", "de", nil), ("zh-Hant-TW", "zh", "Hant"), ("pt_BR", "pt_BR", nil),
        ] as [(String, JSONValue, JSONValue?)])
    func partsOfTheLocale(_ locale: String, _ language: JSONValue, _ region: JSONValue?) {
        let context = Sample.context(locale: locale)
        #expect(context.value(of: "locale") == .string(locale) && context.locale == locale)
        #expect(context.value(of: "language") == language)
        #expect(context.value(of: "region") == .some(region ?? .null))
    }

    @Test func localeIsTheDefaultWhenNoneWasAsked() {
        let context = TargetingContext(requestedLocale: nil, defaultLocale: "fr-CA", attributes: [:])
        #expect(context.value(of: "locale") == "fr-CA" && context.value(of: "region") == "CA")
        #expect(context.requestedLocale == nil)
    }
}
