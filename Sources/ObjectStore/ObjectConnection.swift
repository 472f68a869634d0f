internal import CCurl
internal import Curl
internal import Glibc

/// One request: what is sent, and how much of the answer is read.
struct ObjectRequest {
    enum Method: String {
        case get = "GET"
        case head = "HEAD"
        case put = "PUT"
        case delete = "DELETE"
    }

    let method: Method
    let url: String
    var headers: [RequestSigner.Header] = []
    /// Only a PUT sends a body.
    var body: [UInt8] = []
    /// The maximum size of the body of a success. Of other answers, the first `errorBound` bytes are kept.
    var answerBound = 0
    var connectMilliseconds = 10_000
    var milliseconds = 60_000
    var allowsLinkLocal = false

    static let errorBound = 64 << 10

    init(_ method: Method, _ url: String) { (self.method, self.url) = (method, url) }
}

/// Sends requests one at a time, with one easy handle of libcurl, which keeps the connections.
final class ObjectConnection {
    private let library: CurlLibrary
    private let handle: UnsafeMutableRawPointer
    /// Asked about once a second while a request runs; true ends it.
    var isStopped: () -> Bool = { false }

    /// A transfer that moves fewer bytes a second than this for so many seconds ends.
    private static let lowSpeed = (bytes: 256, seconds: 60)

    init() throws(ObjectStoreFault) {
        let library: CurlLibrary
        do { library = try CurlLibrary() } catch { throw .noLibrary(error.reason) }
        guard let handle = library.easyInit() else { throw .noLibrary("it gives no handle") }
        (self.library, self.handle) = (library, handle)
    }

    deinit { library.easyCleanup(handle) }

    /// Sends a request and waits for its answer. libcurl sends it again by itself if a kept connection was closed
    /// before any byte of an answer.
    func exchange(_ request: ObjectRequest) throws(ObjectStoreFault) -> ObjectResponse {
        guard !isStopped() else { throw .stopped }
        library.easyReset(handle)
        let receiver = ResponseReceiver(request, isStopped)
        let context = UnsafeRawPointer(Unmanaged.passUnretained(receiver).toOpaque())
        try setRules(request)
        try setCallbacks(context)
        try check(library.set(handle, CURLOPT_URL, request.url))
        let headers = try list(request)
        defer { library.listFree(headers) }
        try check(library.set(handle, CURLOPT_HTTPHEADER, headers))
        let code = withExtendedLifetime(receiver) { perform(request) }
        return try result(code, receiver)
    }

    /// Sets the rules and the bounds of time.
    private func setRules(_ request: ObjectRequest) throws(ObjectStoreFault) {
        // The signature covers the host, so that a redirect could not be followed with it.
        try check(library.setRules(handle))
        // The path is signed as it is.
        try check(library.set(handle, CURLOPT_PATH_AS_IS, 1))
        try check(library.set(handle, CURLOPT_TIMEOUT_MS, request.milliseconds))
        let connect = min(request.connectMilliseconds, request.milliseconds)
        try check(library.set(handle, CURLOPT_CONNECTTIMEOUT_MS, connect))
        try check(library.set(handle, CURLOPT_LOW_SPEED_LIMIT, Self.lowSpeed.bytes))
        try check(library.set(handle, CURLOPT_LOW_SPEED_TIME, Self.lowSpeed.seconds))
    }

    private func setCallbacks(_ context: UnsafeRawPointer) throws(ObjectStoreFault) {
        try check(library.set(handle, openSocket: ResponseReceiver.openSocket))
        try check(library.set(handle, CURLOPT_OPENSOCKETDATA, context))
        try check(library.set(handle, CURLOPT_WRITEFUNCTION, ResponseReceiver.takeBody))
        try check(library.set(handle, CURLOPT_WRITEDATA, context))
        try check(library.set(handle, CURLOPT_HEADERFUNCTION, ResponseReceiver.takeHead))
        try check(library.set(handle, CURLOPT_HEADERDATA, context))
        try check(library.set(handle, progress: ResponseReceiver.progress))
        try check(library.set(handle, CURLOPT_XFERINFODATA, context))
        try check(library.set(handle, CURLOPT_NOPROGRESS, 0))
    }

    /// The lines of the headers. libcurl sends a header without a value for `Name;`, and omits one for `Name:`. A PUT
    /// has neither `Expect`, which costs a turn, nor `Content-Type`, which would have to be signed.
    private func list(_ request: ObjectRequest) throws(ObjectStoreFault) -> UnsafeMutableRawPointer? {
        var headers: UnsafeMutableRawPointer?
        let lines = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        for line in lines + ["Expect:", "Content-Type:"] {
            headers = library.append(line, to: headers)
            if headers == nil { throw .unreachable(library.words(for: Int32(CURLE_OUT_OF_MEMORY))) }
        }
        return headers
    }

    private func perform(_ request: ObjectRequest) -> Int32 {
        switch request.method {
        case .get: return library.easyPerform(handle)
        case .head:
            let code = library.set(handle, CURLOPT_NOBODY, 1)
            return code == CURLE_OK ? library.easyPerform(handle) : code
        case .delete:
            let code = library.set(handle, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
            return code == CURLE_OK ? library.easyPerform(handle) : code
        case .put:
            return request.body.withUnsafeBytes { body in
                var code = library.set(handle, bodyInPlace: body)
                if code == CURLE_OK { code = library.set(handle, CURLOPT_CUSTOMREQUEST, request.method.rawValue) }
                return code == CURLE_OK ? library.easyPerform(handle) : code
            }
        }
    }

    private func result(_ code: Int32, _ receiver: ResponseReceiver) throws(ObjectStoreFault) -> ObjectResponse {
        if receiver.isTooLong { throw .answerTooLong }
        switch Int(code) {
        case Int(CURLE_OK): break
        case Int(CURLE_OPERATION_TIMEDOUT): throw .timeout
        case Int(CURLE_ABORTED_BY_CALLBACK): throw .stopped
        case Int(CURLE_PEER_FAILED_VERIFICATION), Int(CURLE_SSL_CACERT_BADFILE):
            throw .untrusted(library.words(for: code))
        case _ where receiver.isRefusedAddress: throw .unreachable("its address is link-local")
        default: throw .unreachable(library.words(for: code))
        }
        var answer = receiver.answer
        guard let status = library.status(handle) else { throw .unreachable("the answer has no status") }
        answer.status = status
        return answer
    }

    private func check(_ code: Int32) throws(ObjectStoreFault) {
        guard code == CURLE_OK else { throw .noLibrary(library.words(for: code)) }
    }
}
