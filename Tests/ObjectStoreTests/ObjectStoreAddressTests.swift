import BellwetherJSON
import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// Addresses of stores, and the URLs of their objects, compared with those of boto3.
@Suite struct ObjectStoreAddressTests {
    private static func address(
        _ text: String = "s3://lake/a/b", endpoint: String? = nil, region: String = "eu-central-1",
        isPathStyle: Bool? = nil
    ) -> ObjectStoreAddress? {
        ObjectStoreAddress(text, endpoint: endpoint, region: region, isPathStyle: isPathStyle)
    }

    @Test func `Objects have the URLs that boto3 gives them`() throws {
        let cases = try #require(try VectorFile.read("signatures", in: .module)["addresses"].array)
        #expect(cases.count >= 90)
        for vector in cases {
            let address = try #require(
                Self.address(
                    "s3://\(vector["bucket"].string ?? "")", endpoint: vector["endpoint"].string,
                    region: vector["region"].string ?? "", isPathStyle: vector["path_style"].bool))
            let key = try ObjectKey(vector["key"].string ?? "", under: address.prefix)
            #expect(address.origin + address.path(of: key) == vector["url"].string)
            #expect(address.origin.hasSuffix("//" + address.authority))
        }
    }

    @Test func `The style of paths is the default for an own endpoint and for a bucket with a dot`() {
        #expect(Self.address()?.isPathStyle == false)
        #expect(Self.address()?.authority == "lake.s3.eu-central-1.amazonaws.com")
        #expect(Self.address(endpoint: "")?.isPathStyle == false)
        #expect(Self.address(endpoint: "http://minio:9000")?.isPathStyle == true)
        #expect(Self.address(endpoint: "http://minio:9000", isPathStyle: false)?.authority == "lake.minio:9000")
        #expect(Self.address("s3://a.lake")?.isPathStyle == true)
        #expect(Self.address("s3://a.lake")?.bucketPath == "/a.lake")
    }

    @Test(
        arguments: [
            ("s3://lake", "lake", ""), ("s3://lake/", "lake", ""), ("s3://lake/a/b", "lake", "a/b"),
            ("s3://lake/a/b/", "lake", "a/b"), ("s3://lake/day=1 ü", "lake", "day=1 ü"),
        ]) func `Bucket and prefix are read`(_ text: String, _ bucket: String, _ prefix: String)
    {
        #expect(Self.address(text)?.bucket == bucket)
        #expect(Self.address(text)?.prefix == prefix)
    }

    @Test(
        arguments: [
            "http://minio:80", "HTTP://MinIO/", "http://minio",
        ]) func `The default port and the case of a host change nothing`(_ endpoint: String)
    {
        #expect(Self.address(endpoint: endpoint)?.origin == "http://minio")
        #expect(Self.address(endpoint: "https://[::1]:443")?.origin == "https://[::1]")
    }

    @Test(
        arguments: [
            "lake/a", "https://lake/a", "s3://", "s3:///a", "s3://ab", "s3://Lake/a", "s3://-lake", "s3://lake-/a",
            "s3://la_ke", "s3://a..b", "s3://lake//a", "s3://lake/a//b", "s3://lake/a/../b", "s3://lake/./a",
            "s3://lake/a//", "s3://lake/a\nb", "s3://lake?a", "s3://user@lake/a",
        ]) func `An improper address is refused`(_ text: String)
    { #expect(Self.address(text) == nil) }

    @Test(
        arguments: [
            "minio:9000", "ftp://minio", "https://", "https://user:key@minio", "https://minio/path", "https://minio?a",
            "https://minio#a", "https://mi nio", "https://:9000", "https://minio\r\nx: y",
        ]) func `An improper endpoint is refused`(_ endpoint: String)
    {
        #expect(Self.address(endpoint: endpoint) == nil)
    }

    @Test(arguments: ["", "eu central", "eu/central", "eu\n"]) func `An improper region is refused`(_ region: String) {
        #expect(Self.address(region: region) == nil)
    }

    @Test(
        arguments: ["", "/a", "a/", "a//b", ".", "a/../b", "a\u{0}", "a\u{7F}", String(repeating: "ü", count: 511)])
    func `An improper key is refused`(_ key: String) {
        #expect(throws: ObjectStoreFault.improperKey) { try ObjectKey(key, under: "a/b") }
    }

    @Test func `A key is relative to the prefix`() throws {
        let address = try #require(Self.address(endpoint: "http://minio"))
        #expect(try address.path(of: ObjectKey("day=1/x y", under: address.prefix)) == "/lake/a/b/day%3D1/x%20y")
    }
}
