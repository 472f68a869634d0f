internal import BellwetherBase

/// Signs requests to S3 with AWS Signature Version 4, in the header `Authorization`.
///
/// libcurl's own signature is not used: it signs `Expect` without sending it, and encodes paths and queries
/// differently.
struct RequestSigner {
    /// A header to sign. Names are in lower case.
    typealias Header = (name: String, value: String)

    let credentials: ObjectCredentials
    let region: String
    /// When the request is signed, in milliseconds since 1970.
    let time: Int64

    /// The signed parts of a request. The path is encoded once; the query is encoded and in canonical order.
    struct Subject {
        let method: String
        let path: String
        let query: String
        /// `host`, and each `x-amz-` header but those that the signer adds.
        let headers: [Header]
        /// The lower-case hexadecimal SHA-256 of the body.
        let bodyHash: String
    }

    /// The hash of a request without a body.
    static let emptyHash = SHA256.hash([]).hexadecimal

    /// The headers that the request has besides those of the subject: the hash, the time, the token of the session and
    /// the signature.
    func headers(for subject: Subject) -> [Header] {
        var added: [Header] = [("x-amz-content-sha256", subject.bodyHash), ("x-amz-date", timeText)]
        if let token = credentials.sessionToken { added.append(("x-amz-security-token", token)) }
        let signed = Self.canonical(subject.headers + added)
        let names = signed.map(\.name).joined(separator: ";")
        let text = textToSign(Self.canonicalRequest(subject, signed, names))
        let signature = HMAC.authenticationCode(for: Array(text.utf8), key: key).hexadecimal
        added.append(
            (
                "authorization",
                "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope), SignedHeaders=\(names),"
                    + " Signature=\(signature)"
            ))
        return added
    }

    /// The text whose hash is signed. It has a line for each part of the request.
    static func canonicalRequest(_ subject: Subject, _ headers: [Header], _ names: String) -> String {
        ([subject.method, subject.path, subject.query] + headers.map { "\($0.name):\($0.value)" }
            + ["", names, subject.bodyHash]).joined(separator: "\n")
    }

    /// The headers in order of their names, with values whose runs of spaces are one space, and none at the ends.
    static func canonical(_ headers: [Header]) -> [Header] {
        headers
            .map { header in
                let words = header.value.split(whereSeparator: { $0 == " " || $0 == "\t" })
                return (header.name.lowercased(), words.joined(separator: " "))
            }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    private func textToSign(_ canonicalRequest: String) -> String {
        "AWS4-HMAC-SHA256\n\(timeText)\n\(scope)\n\(SHA256.hash(Array(canonicalRequest.utf8)).hexadecimal)"
    }

    private var scope: String { "\(timeText.prefix(8))/\(region)/s3/aws4_request" }

    private var key: [UInt8] {
        [String(timeText.prefix(8)), region, "s3", "aws4_request"]
            .reduce(Array("AWS4\(credentials.secret)".utf8)) { key, part in
                Array(HMAC.authenticationCode(for: Array(part.utf8), key: key))
            }
    }

    /// The time in ISO 8601's basic format: `20261129T121151Z`.
    private var timeText: String {
        // Whole seconds have no fraction.
        Timestamp(seconds: Timestamp(milliseconds: time).seconds).rfc3339.filter { $0 != "-" && $0 != ":" }
    }
}
