internal import BellwetherBase
internal import BellwetherJSON

/// The credentials of the role of a machine, which the metadata service of its cloud hands out (IMDSv2): a token for
/// the session first, then the name of the role, then its keys.
struct InstanceCredentials {
    /// The address of the service, the same on every machine. Only these requests may go to link-local addresses.
    static let standardEndpoint = "http://169.254.169.254"

    private static let milliseconds = 1000
    private static let answerBound = 64 << 10
    private static let path = "/latest/meta-data/iam/security-credentials/"

    private let endpoint: String

    init(_ endpoint: String) { self.endpoint = endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint }

    func load(over connection: ObjectConnection) throws(ObjectStoreFault) -> ObjectCredentials {
        let token = try text(
            .put, "/latest/api/token", [("x-aws-ec2-metadata-token-ttl-seconds", "300")], over: connection)
        let headers = [(name: "x-aws-ec2-metadata-token", value: token)]
        let role = try text(.get, Self.path, headers, over: connection)
        let document = try text(.get, Self.path + PercentEncoding.component(role), headers, over: connection)
        guard let credentials = Self.read(document) else {
            throw .noInstanceRole("the metadata service of the machine gives no credentials for its role")
        }
        return credentials
    }

    /// Reads the document of a role.
    static func read(_ document: String) -> ObjectCredentials? {
        guard let value = try? JSONValue(parsing: document), value["Code"].string ?? "Success" == "Success",
            let accessKey = value["AccessKeyId"].string, let secret = value["SecretAccessKey"].string,
            let end = value["Expiration"].string.flatMap({ Timestamp(rfc3339: $0) })
        else { return nil }
        return ObjectCredentials(
            accessKey: accessKey, secret: secret, sessionToken: value["Token"].string, expiresAt: end.milliseconds)
    }

    /// The first line of an answer, or the whole of a document in JSON.
    private func text(
        _ method: ObjectRequest.Method, _ path: String, _ headers: [RequestSigner.Header],
        over connection: ObjectConnection
    ) throws(ObjectStoreFault) -> String {
        var request = ObjectRequest(method, endpoint + path)
        request.headers = headers
        request.answerBound = Self.answerBound
        request.allowsLinkLocal = true
        (request.connectMilliseconds, request.milliseconds) = (Self.milliseconds, Self.milliseconds)
        let answer: ObjectResponse
        do {
            answer = try connection.exchange(request)
        } catch ObjectStoreFault.stopped {
            throw ObjectStoreFault.stopped
        } catch {
            throw .noInstanceRole("the metadata service of the machine does not answer: \(error.sentence)")
        }
        guard answer.status == 200 else {
            throw .noInstanceRole("the metadata service of the machine answers \(answer.status) to \(path)")
        }
        let text = String(decoding: answer.body, as: UTF8.self)
        if text.hasPrefix("{") { return text }
        let line = String(text.prefix { $0 != "\n" && $0 != "\r\n" })
        guard !line.isEmpty, line.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw .noInstanceRole("the metadata service of the machine knows no role")
        }
        return line
    }
}
