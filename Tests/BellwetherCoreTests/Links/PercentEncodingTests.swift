import BellwetherCore
import Testing

struct PercentEncodingTests {
    @Test(arguments: [
        ("homepage", "homepage"), ("a b", "a%20b"), ("a+b", "a%2Bb"), ("a&b=c", "a%26b%3Dc"), ("100%", "100%25"),
        ("#", "%23"), ("ü", "%C3%BC"), ("🧭", "%F0%9F%A7%AD"), ("-._~", "-._~"), ("/?:@", "%2F%3F%3A%40"), ("", ""),
        ("\r\n\u{0}", "%0D%0A%00"), ("%41", "%2541"),
    ])
    func queryValuesKeepOnlyWhatIsUnreserved(text: String, encoded: String) {
        #expect(PercentEncoding.queryValue(text) == encoded)
    }

    @Test(arguments: [
        ("https://example.com?foo=1&bar=baz", "https://example.com?foo%3D1%26bar%3Dbaz"),
        ("a+b", "a+b"), ("a b", "a%20b"), ("100%", "100%25"), ("#", "%23"), ("é", "%C3%A9"),
        ("!$'()*,;:@/?-._~", "!$'()*,;:@/?-._~"),
        ("[]{}|\\^`\"<>", "%5B%5D%7B%7D%7C%5C%5E%60%22%3C%3E"),
    ])
    func iosKeepsWhatAQueryMayContainButTheSeparators(text: String, encoded: String) {
        #expect(PercentEncoding.iosQueryItem(text) == encoded)
    }

    @Test(arguments: [
        ("https://example.com?foo=1&bar=baz", "https%3A%2F%2Fexample.com%3Ffoo%3D1%26bar%3Dbaz"),
        ("a+b c", "a%2Bb%20c"), ("#[]@$,;:", "%23%5B%5D%40%24%2C%3B%3A"), ("_-!.~'()*", "_-!.~'()*"), ("é", "%C3%A9"),
    ])
    func androidEncodesAllThatIsReserved(text: String, encoded: String) {
        #expect(PercentEncoding.androidQueryValue(text) == encoded)
    }
}
