internal import BellwetherBase

/// Signing and sending: credentials, the clock, and the two refusals that are tried again.
extension ObjectStore {
    /// A request before it is signed.
    struct Operation {
        let method: ObjectRequest.Method
        /// The encoded path.
        let path: String
        var query: [(name: String, value: String)] = []
        /// The `x-amz-` headers, which are signed.
        var headers: [RequestSigner.Header] = []
        /// `If-Match` and `If-None-Match`.
        var unsignedHeaders: [RequestSigner.Header] = []
        var body: [UInt8] = []
        var answerBound = ObjectRequest.errorBound
        /// The time that the request may take; nil: that of the limits.
        var milliseconds: Int?

        init(_ method: ObjectRequest.Method, _ path: String) { (self.method, self.path) = (method, path) }
    }

    /// Credentials are renewed so long before they expire, in milliseconds.
    private static let renewal: Int64 = 300_000
    /// S3 refuses a difference of 15 minutes. A refusal with another code, or without one, counts as one for the clock
    /// from this difference on.
    private static let noticedSkew: Int64 = 600_000
    /// A difference above a day is no drift. It is not corrected.
    private static let maximumSkew: Int64 = 86_400_000

    /// Sends a request once, and once more after a refusal for the clock, or for credentials that have been replaced at
    /// their source since they were read.
    func send(_ operation: Operation) throws(ObjectStoreFault) -> ObjectResponse {
        let hash = operation.body.isEmpty ? RequestSigner.emptyHash : SHA256.hash(operation.body).hexadecimal
        let used = try currentCredentials()
        let answer = try exchange(operation, hash, used)
        if isSkewed(answer) { return try sendAgain(operation, hash, used, afterSkewed: answer) }
        guard case .refused = answer.fault(bucket: address.bucket), !answer.isSuccess else { return answer }
        credentials = nil
        let fresh = try currentCredentials()
        return fresh == used ? answer : try exchange(operation, hash, fresh)
    }

    /// Signs with the time of the server. Its next refusal is a fault.
    private func sendAgain(
        _ operation: Operation, _ hash: String, _ used: ObjectCredentials, afterSkewed answer: ObjectResponse
    ) throws(ObjectStoreFault) -> ObjectResponse {
        guard let time = answer.time else { throw .skewedClock(seconds: nil) }
        let difference = time - now()
        guard abs(difference) <= Self.maximumSkew else { throw .skewedClock(seconds: difference / 1000) }
        clockOffset = difference
        let second = try exchange(operation, hash, used)
        if isSkewed(second) {
            clockOffset = 0
            throw .skewedClock(seconds: difference / 1000)
        }
        warn(.clockOffset(seconds: difference / 1000))
        return second
    }

    /// Whether an answer refuses the time of the signature. The answer to HEAD has no code, and some servers have no
    /// own code for it, but each answer has a date.
    private func isSkewed(_ answer: ObjectResponse) -> Bool {
        guard !answer.isSuccess else { return false }
        if answer.code == "RequestTimeTooSkewed" { return true }
        guard answer.status == 403, let time = answer.time else { return false }
        return abs(time - now() - clockOffset) >= Self.noticedSkew
    }

    private func exchange(
        _ operation: Operation, _ hash: String, _ credentials: ObjectCredentials
    ) throws(ObjectStoreFault) -> ObjectResponse {
        let query = PercentEncoding.query(operation.query)
        let signed = [(name: "host", value: address.authority)] + operation.headers
        let signer = RequestSigner(credentials: credentials, region: address.region, time: now() + clockOffset)
        let added = signer.headers(
            for: RequestSigner.Subject(
                method: operation.method.rawValue, path: operation.path, query: query, headers: signed, bodyHash: hash))
        var request = ObjectRequest(
            operation.method, address.origin + operation.path + (query.isEmpty ? "" : "?" + query))
        request.headers = signed + added + operation.unsignedHeaders
        request.body = operation.body
        request.answerBound = operation.answerBound
        request.connectMilliseconds = limits.connectMilliseconds
        request.milliseconds = operation.milliseconds ?? limits.milliseconds
        return try connection.exchange(request)
    }

    /// The cached credentials, or those of the source if they end soon. If the source fails, they serve to their end.
    private func currentCredentials() throws(ObjectStoreFault) -> ObjectCredentials {
        let time = now() + clockOffset
        if let credentials, (credentials.expiresAt ?? .max) > time.addingSaturating(Self.renewal) { return credentials }
        do {
            let fresh = try chain.load(over: connection)
            credentials = fresh
            return fresh
        } catch {
            guard let credentials, (credentials.expiresAt ?? .max) > time else { throw error }
            return credentials
        }
    }
}
