import BellwetherBase
import BellwetherJSON
import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// The signatures of requests, compared with AWS's documentation and with botocore, whose vectors
/// `Conformance/object_store_vectors.py` writes.
@Suite struct RequestSignerTests {
    /// The examples of "Signature Calculations for the Authorization Header" in the reference of S3.
    struct Example: Sendable {
        let method: String
        let path: String
        let query: [[String]]
        let headers: [[String]]
        let body: String
        let signature: String
    }

    private static let examples = [
        Example(
            method: "GET", path: "/test.txt", query: [], headers: [["range", "bytes=0-9"]], body: "",
            signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
        Example(
            method: "PUT", path: "/test%24file.text", query: [],
            headers: [["date", "Fri, 24 May 2013 00:00:00 GMT"], ["x-amz-storage-class", "REDUCED_REDUNDANCY"]],
            body: "Welcome to Amazon S3.",
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
        Example(
            method: "GET", path: "/", query: [["lifecycle", ""]], headers: [], body: "",
            signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        Example(
            method: "GET", path: "/", query: [["prefix", "J"], ["max-keys", "2"]], headers: [], body: "",
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ]

    @Test(arguments: examples) func `The examples of AWS have their signatures`(_ example: Example) throws {
        let credentials = try #require(
            ObjectCredentials(
                accessKey: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"))
        let signer = RequestSigner(credentials: credentials, region: "us-east-1", time: 1_369_353_600_999)
        let headers = signer.headers(
            for: RequestSigner.Subject(
                method: example.method, path: example.path,
                query: PercentEncoding.query(example.query.map { ($0[0], $0[1]) }),
                headers: [("host", "examplebucket.s3.amazonaws.com")] + example.headers.map { ($0[0], $0[1]) },
                bodyHash: SHA256.hash(Array(example.body.utf8)).hexadecimal))
        #expect(headers.first { $0.name == "x-amz-date" }?.value == "20130524T000000Z")
        let authorization = try #require(headers.first { $0.name == "authorization" }?.value)
        #expect(authorization.hasSuffix("Signature=" + example.signature))
    }

    @Test func `Botocore signs the same requests equally`() throws {
        let cases = try #require(try VectorFile.read("signatures", in: .module)["signatures"].array)
        #expect(cases.count >= 60)
        for vector in cases {
            let credentials = try #require(
                ObjectCredentials(
                    accessKey: vector["access_key"].string ?? "", secret: vector["secret"].string ?? "",
                    sessionToken: vector["token"].string))
            let query = PercentEncoding.query(
                (vector["query"].array ?? []).map { ($0.array?[0].string ?? "", $0.array?[1].string ?? "") })
            #expect(query == vector["canonical_query"].string)
            let body = try #require(Self.bytes(hexadecimal: vector["body"].string ?? ""))
            let hash = SHA256.hash(body).hexadecimal
            #expect(hash == vector["hash"].string)
            let further = (vector["headers"].object ?? [:]).map { (name: $0.key, value: $0.value.string ?? "") }
            let signer = RequestSigner(
                credentials: credentials, region: vector["region"].string ?? "", time: vector["time"].integer ?? 0)
            let headers = signer.headers(
                for: RequestSigner.Subject(
                    method: vector["method"].string ?? "", path: vector["path"].string ?? "", query: query,
                    headers: [("host", vector["host"].string ?? "")] + further, bodyHash: hash))
            #expect(headers.first { $0.name == "authorization" }?.value == vector["authorization"].string)
        }
    }

    @Test func `The hash of no body is known`() {
        #expect(RequestSigner.emptyHash == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test func `Values are signed without superfluous spaces, in order of the names`() {
        let headers = RequestSigner.canonical([("X-Amz-B", "  a   b "), ("host", "h"), ("x-amz-a", "")])
        #expect(headers.map(\.name) == ["host", "x-amz-a", "x-amz-b"])
        #expect(headers.map(\.value) == ["h", "", "a b"])
    }

    private static func bytes(hexadecimal text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0 else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)
        }
        return bytes.count * 2 == digits.count ? bytes : nil
    }
}
