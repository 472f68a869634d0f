import BellwetherBase
import BellwetherJSON
import TestSupport
import Testing

@testable import OpenID

/// The verification of ID tokens (docs/reference/sign-in.md#what-is-verified). The keys and the tokens were made with
/// `joserfc`; `Conformance/sign_in_test.py` breaks each promise of a provider.
@Suite struct IDTokenTests {
    private static let keys =
        #"{"keys":[{"n":"55-BJAqQGbKhEEBa0OQcT57PMpYPVVhnwMOUDUnuQp0AvnIq3ElP7VfJowgY3nssaL9kJpdXelUhdfSDQja"#
        + #"dewFFqEhNuxPDiXuJvHlYJiuzw3I8ZzOa2sswH8H2M8SIkNd7cQVwPwMqwKC1xnk2aDbwmT0_eE4PogPrf5cqwsMp87gEwhSfq"#
        + #"LDtkJ8Y98bIBydl8OQU4cetbhv6EnxZN27voc8Sy-3fm_4-R7mfsxV_ZD0HxVy4fH_ab52iQ82E6Ptjgs6vKmGJKfKKJa39KVB"#
        + #"camddsZJkjeFo4DNxlTMDA4aSPs-K01uSSaW9tcGbIbugFJ-G29ABP7GfXw8-uQ","e":"AQAB","kid":"one","kty":"RSA"#
        + #""},{"crv":"P-256","x":"ELLkUj5NsKGjp6PVAnmvKScalyqYP9UVj37rJoJDXPo","y":"V3XZgbWttfQTwAdWR0oVq03AL"#
        + #"OA9rLOQ6faBdoioRA4","kid":"two","kty":"EC"}]}"#
    private static let rs256 =
        #"eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiIsImtpZCI6Im9uZSJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJzdWIiO"#
        + #"iJhZGEiLCJhdWQiOiJiZWxsd2V0aGVyIiwiZXhwIjoxNzczMTQ0MzAwLCJpYXQiOjE3NzMxNDQwMDAuNSwibm9uY2UiOiJuIiw"#
        + #"iYXRfaGFzaCI6Im9GWWYxa25OdHJxbmhBVmZCUnV0ZVEiLCJncm91cHMiOlsic2hvcCJdLCJyZWFsbV9hY2Nlc3MiOnsicm9sZ"#
        + #"XMiOlsiYSIsImIiXX19.xUVQGLgNwABMSU8Kgb1saHTZZ8oDc_7CYxQtPFznF7v6XEKuiXVLwGixx9dwiKyMlSpkzXiMc3PO6m"#
        + #"RMej4i4FHSOTWXhmreZrdCTWYrOSXI5BIuZSVrzGgBti2nBvDQmvxFJoOosrEQBrJPJus5n6b43UNjtHIKEWE_NFfeVSnoFWXI"#
        + #"_N7EYZy2t35aelwHIcJmTkSuZKidi63_lvDIdsjliPJ-wrErsJJsdr6FOa97rWPeQb1fpC7pJj8FXXjEgFo6rDsG_-e7o2_tMx"#
        + #"DkOoruR45bP1kzG6g-ZZyuSR9fsD3QT9nMdQW2PclkPVGeCCi12WUJSc-eqhlE68hPRQ"#
    private static let es256 =
        #"eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiIsImtpZCI6InR3byJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJzdWIiO"#
        + #"iJhZGEiLCJhdWQiOiJiZWxsd2V0aGVyIiwiZXhwIjoxNzczMTQ0MzAwLCJpYXQiOjE3NzMxNDQwMDAuNSwibm9uY2UiOiJuIiw"#
        + #"iYXRfaGFzaCI6Im9GWWYxa25OdHJxbmhBVmZCUnV0ZVEiLCJncm91cHMiOlsic2hvcCJdLCJyZWFsbV9hY2Nlc3MiOnsicm9sZ"#
        + #"XMiOlsiYSIsImIiXX19.K7sqw2_JR-410HEHqN52u80PP1mU9JMaId5wpzbpihVPxHHXkgYYtEtlZ1tubngw8NIlVoHG1H2-E3"#
        + #"Mm0F0_Lw"#
    private static let withoutKeyID =
        #"eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJzdWIiOiJhZGEiLCJhdWQiO"#
        + #"iJiZWxsd2V0aGVyIiwiZXhwIjoxNzczMTQ0MzAwLCJpYXQiOjE3NzMxNDQwMDAuNSwibm9uY2UiOiJuIiwiYXRfaGFzaCI6Im9"#
        + #"GWWYxa25OdHJxbmhBVmZCUnV0ZVEiLCJncm91cHMiOlsic2hvcCJdLCJyZWFsbV9hY2Nlc3MiOnsicm9sZXMiOlsiYSIsImIiX"#
        + #"X19.MKumJudM_mLJDxAMDt-CpCFi8zoKTnvpgoXEJKXkd-9Q6Xt7WqWwXY3ZLjGEpe9cmML-a8h6W7G3ZVsqOOtwWw"#

    private static func keySet(_ text: String = keys) throws -> KeySet {
        let document = try #require(try JSONValue(parsing: text).object)
        return try #require(KeySet(document))
    }

    private static func expected(
        issuer: String = "https://id.example", client: String = "bellwether", nonce: String = "n",
        access: String = "access", seconds: Int64 = 1_773_144_010
    ) -> SignInExpectation {
        SignInExpectation(
            issuer: issuer, clientID: client, nonce: nonce, accessToken: access, now: Timestamp(seconds: seconds))
    }

    @Test(arguments: [rs256, es256, withoutKeyID])
    func `A token that is signed and says what is expected is taken`(_ text: String) throws {
        let token = try IDToken(text, keys: Self.keySet(), Self.expected())
        #expect(token.subject == "ada")
        #expect(try ClaimValues.values(of: "groups", in: token.claims) == ["shop"])
        #expect(try ClaimValues.values(of: "realm_access.roles", in: token.claims) == ["a", "b"])
        #expect(try ClaimValues.values(of: "realm_access.none", in: token.claims) == [])
    }

    @Test(
        arguments: [
            (expected(issuer: "https://id.example/"), "another issuer"), (expected(client: "b"), "another client"),
            (expected(nonce: "m"), "another sign-in"), (expected(access: "other"), "another access token"),
            (expected(seconds: 1_773_144_360), "has expired"), (expected(seconds: 1_773_143_939), "not made now"),
        ] as [(SignInExpectation, String)])
    func `A token for another sign-in is refused`(_ expected: SignInExpectation, _ reason: String) throws {
        let refusal = #expect(throws: SignInRefusal.self) {
            try IDToken(Self.rs256, keys: Self.keySet(), expected)
        }
        #expect(refusal?.reason.contains(reason) == true)
    }

    @Test func `The bounds of time are exact`() throws {
        for seconds in [1_773_144_359, 1_773_143_941] as [Int64] {
            _ = try IDToken(Self.rs256, keys: Self.keySet(), Self.expected(seconds: seconds))
        }
    }

    /// A change of any character of a token makes it invalid, whatever the character means.
    @Test(arguments: [rs256, es256])
    func `A changed token is refused`(_ text: String) throws {
        var random = SeededGenerator(seed: 1)
        let bytes = Array(text.utf8)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/".utf8)
        let keys = try Self.keySet()
        for _ in 0..<Trials.count(300, many: 5000) {
            var changed = bytes
            let place = Int.random(in: 0..<bytes.count, using: &random)
            changed[place] = alphabet.randomElement(using: &random) ?? 0
            guard changed != bytes else { continue }
            #expect(throws: SignInRefusal.self) {
                try IDToken(String(decoding: changed, as: UTF8.self), keys: keys, Self.expected())
            }
        }
    }

    @Test func `A key of another use, size or algorithm verifies nothing`() throws {
        let keys = try #require(try JSONValue(parsing: Self.keys)["keys"].array).compactMap(\.object)
        let changes: [(String, JSONValue)] = [
            ("use", "enc"), ("alg", "RS512"), ("n", "AQAB"), ("e", ""), ("kid", "other"), ("kty", "oct"),
        ]
        for (member, value) in changes {
            var key = keys[0]
            key[member] = value
            let set = try Self.keySet(JSONValue.object(["keys": [.object(key)]]).text)
            #expect(throws: SignInRefusal.self, "\(member)") {
                try IDToken(Self.rs256, keys: set, Self.expected())
            }
        }
        #expect(KeySet(["keys": .array(Array(repeating: .object(keys[0]), count: 101))]) == nil)
        let twice = try #require(KeySet(["keys": [.object(keys[0]), .object(keys[0])]]))
        #expect(throws: SignInRefusal.self) { try IDToken(Self.rs256, keys: twice, Self.expected()) }
        let point = try Self.keySet(Self.keys.replacing("\"x\":\"", with: "\"x\":\"AAAA"))
        #expect(throws: SignInRefusal.self) { try IDToken(Self.es256, keys: point, Self.expected()) }
    }

    @Test func `A document with an address that is not https is refused`() throws {
        var document: JSONObject = [
            "issuer": "https://id.example", "authorization_endpoint": "https://id.example/a",
            "token_endpoint": "https://id.example/t", "jwks_uri": "https://id.example/k",
        ]
        #expect(try ProviderDocument(document, issuer: "https://id.example").userInfo == nil)
        for member in ["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"] {
            let sound = document[member]
            document[member] = "http://id.example/x"
            #expect(throws: SignInRefusal.self) { try ProviderDocument(document, issuer: "https://id.example") }
            document[member] = sound
        }
        #expect(throws: SignInRefusal.self) { try ProviderDocument(document, issuer: "https://id.example/") }
    }

    @Test func `Groups that are only referred to are told apart`() {
        let claims: JSONObject = ["_claim_names": ["groups": "src1"]]
        #expect(throws: SignInRefusal.self) { try ClaimValues.values(of: "groups", in: claims) }
    }
}
