import TestSupport
import Testing

@testable import ObjectStore

/// Where credentials come from, and that nothing shows them.
@Suite struct CredentialTests {
    private static let secret = "hidden/secret+of=it"
    private static let token = "hidden-token"

    private static func read(_ text: String, profile: String = "default") throws -> ObjectCredentials {
        try CredentialsFile(text).credentials(of: profile, in: "/f")
    }

    private static func environment(_ more: [String: String] = [:]) -> [String: String] {
        ["AWS_ACCESS_KEY_ID": "AK", "AWS_SECRET_ACCESS_KEY": secret].merging(more) { $1 }
    }

    private static func load(_ chain: ObjectCredentialChain) throws -> ObjectCredentials {
        try chain.load(over: ObjectConnection())
    }

    @Test func `A profile of a file is read`() throws {
        let text =
            "\u{FEFF}# comment\r\n[other]\r\naws_access_key_id=no\r\n[default]\r\n; comment\r\n"
            + "AWS_Access_Key_Id = AK\r\naws_secret_access_key\t=\t\(Self.secret)  \r\n"
            + "  nested = 1\r\naws_session_token = \(Self.token)\r\n"
        let folder = try TemporaryDirectory()
        let credentials = try CredentialsFile.read(folder.write(text, to: "c")).credentials(of: "default", in: "/f")
        #expect(credentials.accessKey == "AK")
        #expect(credentials.secret == Self.secret)
        #expect(credentials.sessionToken == Self.token)
        #expect(credentials.expiresAt == nil)
    }

    @Test func `A profile that comes twice is one, whose later lines win`() throws {
        let text = "[a]\naws_access_key_id=1\naws_secret_access_key=2\n[b]\n[a]\naws_secret_access_key=3#4\n"
        #expect(try Self.read(text, profile: "a").secret == "3#4")
        #expect(try Self.read(text, profile: "a").accessKey == "1")
    }

    @Test(
        arguments: [
            ("", "no profile"), ("aws_access_key_id=1", "no profile"), ("[default]", "no aws_access_key_id"),
            ("[default]\naws_access_key_id=1", "no aws_secret_access_key"),
            ("[default]\naws_access_key_id=\naws_secret_access_key=hidden", "no aws_access_key_id"),
            ("[default]\naws_access_key_id=a\naws_secret_access_key=hidden secret", "a space"),
            ("[default]\naws_access_key_id=a/b\naws_secret_access_key=hidden", "a space"),
            ("[default]\naws_access_key_id=a\naws_secret_access_key=hidden\naws_session_token=hiddü", "no ASCII"),
        ]) func `A file without credentials is a fault that quotes no value`(_ text: String, _ words: String)
    {
        let fault = #expect(throws: ObjectStoreFault.self) { try Self.read(text) }
        #expect(fault?.sentence.contains(words) == true)
        #expect(fault?.sentence.contains("hidd") == false)
        #expect(fault?.isPassing == false)
    }

    @Test func `The first source that is set is chosen`() throws {
        let folder = try TemporaryDirectory()
        let home = folder.path
        func source(
            _ file: String?, _ environment: [String: String], _ asksInstance: Bool = true
        ) throws -> CredentialSource {
            try ObjectCredentialChain(
                credentialsFile: file, environment: environment, asksInstance: asksInstance
            ).source()
        }
        #expect(try source("/f", Self.environment()) == .file(path: "/f", profile: "default"))
        #expect(
            try source("/f", Self.environment(["AWS_PROFILE": "p"])) == .file(path: "/f", profile: "p"))
        #expect(try source("", Self.environment(["AWS_SHARED_CREDENTIALS_FILE": "/s"])) == .environment)
        #expect(
            try source(nil, ["AWS_ACCESS_KEY_ID": "", "AWS_SHARED_CREDENTIALS_FILE": "/s", "HOME": home])
                == .file(path: "/s", profile: "default"))
        let standard = home + "/.aws/credentials"
        #expect(try source(nil, ["HOME": home]) == .instance(endpoint: "http://169.254.169.254"))
        #expect(try source(nil, ["HOME": home, "AWS_PROFILE": "p"]) == .file(path: standard, profile: "p"))
        try folder.write("[default]\n", to: ".aws/credentials")
        #expect(try source(nil, ["HOME": home]) == .file(path: standard, profile: "default"))
        #expect(throws: ObjectStoreFault.self) { try source(nil, [:], false) }
    }

    @Test func `A source that is set and broken is a fault`() throws {
        let half = ObjectCredentialChain(
            credentialsFile: nil, environment: ["AWS_ACCESS_KEY_ID": "AK"], asksInstance: true)
        let missing = ObjectCredentialChain(
            credentialsFile: "/nowhere/c", environment: Self.environment(), asksInstance: false)
        let improper = ObjectCredentialChain(
            credentialsFile: nil, environment: Self.environment(["AWS_SESSION_TOKEN": "a\r\nx: hidden"]),
            asksInstance: false)
        for (chain, words) in [(half, "AWS_SECRET_ACCESS_KEY"), (missing, "/nowhere/c"), (improper, "a space")] {
            let fault = #expect(throws: ObjectStoreFault.self) { try Self.load(chain) }
            #expect(fault?.sentence.contains(words) == true)
            #expect(fault?.sentence.contains("hidden") == false)
        }
    }

    @Test func `The environment has a token for a session`() throws {
        let chain = ObjectCredentialChain(
            credentialsFile: nil, environment: Self.environment(["AWS_SESSION_TOKEN": Self.token]), asksInstance: false)
        #expect(try Self.load(chain).sessionToken == Self.token)
    }

    @Test func `The document of a role is read`() throws {
        let text =
            #"{"Code":"Success","AccessKeyId":"ASIA","SecretAccessKey":"s","Token":"t","#
            + #""Expiration":"2026-11-29T12:00:00Z"}"#
        let credentials = try #require(InstanceCredentials.read(text))
        #expect(credentials.expiresAt == 1_795_953_600_000)
        #expect(credentials.sessionToken == "t")
        #expect(InstanceCredentials.read(text.replacing("Success", with: "Failed")) == nil)
        #expect(InstanceCredentials.read(text.replacing("2026-11-29T12", with: "soon")) == nil)
        #expect(InstanceCredentials.read("{}") == nil)
        #expect(InstanceCredentials.read("hidden") == nil)
    }

    @Test func `No text of credentials has the secret or the token`() throws {
        struct Holder { let credentials: ObjectCredentials? }
        let credentials = try #require(
            ObjectCredentials(accessKey: "AK", secret: Self.secret, sessionToken: Self.token))
        let holder = Holder(credentials: credentials)
        var dumped = ""
        dump(holder, to: &dumped)
        let texts = [
            "\(credentials)", String(reflecting: credentials), "\(holder)", String(reflecting: holder), dumped,
            "\(RequestSigner(credentials: credentials, region: "r", time: 0))",
        ]
        for text in texts {
            #expect(!text.contains("hidden/"))
            #expect(!text.contains(Self.token))
        }
    }
}
