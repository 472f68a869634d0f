import Testing

@testable import ObjectStore

/// What is read of answers: XML, dates, and the faults of errors.
@Suite struct ObjectResponseTests {
    private static func answer(_ status: Int, _ body: String = "", _ headers: [String: String] = [:]) -> ObjectResponse
    {
        ObjectResponse(status: status, headers: headers, body: Array(body.utf8))
    }

    private static func error(_ status: Int, _ code: String, _ more: String = "") -> ObjectResponse {
        answer(status, "<?xml version=\"1.0\"?>\n<Error><Code>\(code)</Code><Message>hidden</Message>\(more)</Error>")
    }

    @Test func `Elements are read with their entities and without those around them`() throws {
        let text =
            "<?xml version='1.0'?><!-- a --><s3:List xmlns:s3='x'><Contents><Key> a&amp;b&lt;&#252;&#x1F98A; </Key>"
            + "<Owner><ID>o</ID></Owner></Contents><Prefix/><Key></Key></s3:List>\n"
        let xml = try #require(ResponseXML(Array(text.utf8), only: ["Key", "Prefix", "Contents", "List"]))
        #expect(xml.elements.map(\.name) == ["Key", "Prefix", "Key"])
        #expect(xml.elements.map(\.text) == [" a&b<ü🦊 ", "", ""])
    }

    @Test(
        arguments: [
            "<a><Key>x</Key>", "<a></a></b>", "<Key>&none;</Key>", "<Key>&</Key>", "<a", "<>", "<Key>&#xD800;</Key>",
        ])
    func `A document that is wrong is refused`(_ text: String) {
        #expect(ResponseXML(Array(text.utf8), only: ["Key"]) == nil)
    }

    @Test func `Dates are read`() {
        #expect(ResponseDate.milliseconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777_000)
        #expect(ResponseDate.milliseconds("Thu, 01 Jan 1970 00:00:00 GMT") == 0)
        for text in [
            "", "Sun, 06 Nov 1994 08:49:37", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
            "Sun, +6 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        ] { #expect(ResponseDate.milliseconds(text) == nil) }
    }

    @Test(
        arguments: [
            (error(403, "AccessDenied"), .refused(status: 403, code: "AccessDenied"), false),
            (error(403, "SignatureDoesNotMatch"), .refused(status: 403, code: "SignatureDoesNotMatch"), false),
            (error(400, "ExpiredToken"), .refused(status: 400, code: "ExpiredToken"), false),
            (answer(403), .refused(status: 403, code: nil), false),
            (error(404, "NoSuchBucket"), .noBucket("lake"), false),
            (error(400, "RequestTimeout"), .busy(status: 400, code: "RequestTimeout"), true),
            (error(409, "ConditionalRequestConflict"), .busy(status: 409, code: "ConditionalRequestConflict"), true),
            (answer(429), .busy(status: 429, code: nil), true),
            (error(503, "SlowDown"), .busy(status: 503, code: "SlowDown"), true),
            (answer(502, "<html><br>hidden"), .busy(status: 502, code: nil), true),
            (error(501, "NotImplemented"), .unexpected(status: 501, code: "NotImplemented"), false),
            (error(400, "InvalidArgument"), .unexpected(status: 400, code: "InvalidArgument"), false),
            (error(418, "a hidden\nline"), .unexpected(status: 418, code: nil), false),
            (error(307, "TemporaryRedirect"), .otherRegion(bucket: "lake", region: nil), false),
            (
                error(301, "PermanentRedirect", "<Endpoint>lake.s3.eu-west-1.amazonaws.com</Endpoint>"),
                .otherRegion(bucket: "lake", region: "eu-west-1"), false
            ),
            (
                error(307, "TemporaryRedirect", "<Endpoint>lake.s3-us-west-2.amazonaws.com</Endpoint>"),
                .otherRegion(bucket: "lake", region: "us-west-2"), false
            ),
            (
                error(400, "AuthorizationHeaderMalformed", "<Region>eu-north-1</Region>"),
                .otherRegion(bucket: "lake", region: "eu-north-1"), false
            ),
            (
                answer(301, "", ["x-amz-bucket-region": "ap-east-1"]),
                .otherRegion(bucket: "lake", region: "ap-east-1"), false
            ),
        ] as [(ObjectResponse, ObjectStoreFault, Bool)])
    func `An error is a fault in one sentence`(_ answer: ObjectResponse, _ fault: ObjectStoreFault, _ isPassing: Bool) {
        #expect(answer.fault(bucket: "lake") == fault)
        #expect(fault.isPassing == isPassing)
        #expect(!fault.sentence.contains("hidden"))
        #expect(!fault.sentence.contains("\n"))
        #expect(!fault.sentence.isEmpty)
        if case .otherRegion(_, let region?) = fault { #expect(fault.sentence.contains(region)) }
    }

    @Test(
        arguments: [
            (error(501, "NotImplemented"), true), (answer(501), true), (error(400, "InvalidArgument"), true),
            (answer(400), true), (error(400, "ExpiredToken"), false),
            (error(400, "AuthorizationHeaderMalformed"), false),
            (error(412, "PreconditionFailed"), false), (error(503, "SlowDown"), false),
        ])
    func `A server without conditional writes is known by its error`(_ answer: ObjectResponse, _ rejects: Bool) {
        #expect(answer.rejectsPreconditions == rejects)
    }
}
