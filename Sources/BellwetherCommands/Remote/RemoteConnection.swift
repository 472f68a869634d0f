internal import CCurl
internal import Curl
internal import FoundationEssentials
internal import Glibc

/// An easy handle of libcurl. All requests use one connection, which is opened again if it was closed.
///
/// libcurl itself uses the proxies of the environment (`https_proxy`, `no_proxy`, …).
final class RemoteConnection {
    /// The daemon's address, for failures.
    private let url: URL
    private let library: CurlLibrary
    private let handle: UnsafeMutableRawPointer
    /// libcurl's description of the last failure, which is more detailed than the code.
    private let reason = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init(to url: URL) throws(RemoteFailure) {
        self.url = url
        do { library = try CurlLibrary() } catch { throw .noLibrary(error.reason) }
        guard let handle = library.easyInit() else { throw .noLibrary("it gives no handle") }
        self.handle = handle
    }

    deinit {
        let previous = signal(SIGPIPE, SIG_IGN)
        library.easyCleanup(handle)
        signal(SIGPIPE, previous)
        reason.deallocate()
    }

    /// Sends a request with these additional headers, and waits for the whole response.
    func exchange(
        _ request: RemoteRequest, at target: URL, headers: [(name: String, value: String)]
    ) throws(RemoteFailure) -> RemoteResponse {
        let response = IncomingResponse()
        library.easyReset(handle)
        reason.pointee = 0
        try set(CURLOPT_ERRORBUFFER, reason)
        try setRules()
        try setPatience(request.seconds)
        try set(CURLOPT_URL, target.absoluteString)
        try set(request)
        let list = try list(of: request.headers + headers)
        defer { library.listFree(list) }
        try set(CURLOPT_HTTPHEADER, list)
        try receive(into: response)
        // Without this, a TLS connection that the daemon closed would end the program with SIGPIPE: libcurl leaves that
        // signal to its caller.
        let previous = signal(SIGPIPE, SIG_IGN)
        let code = library.easyPerform(handle)
        signal(SIGPIPE, previous)
        return try withExtendedLifetime(response) { () throws(RemoteFailure) in
            try check(code)
            return RemoteResponse(status: try status(), headers: response.headers, body: response.body)
        }
    }

    private func setRules() throws(RemoteFailure) {
        try set(CURLOPT_NOSIGNAL, 1)
        // A token must only go to the named daemon, and not to the target of a redirect.
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        // A document's name may be `..`.
        try set(CURLOPT_PATH_AS_IS, 1)
        // An empty text means all encodings that this libcurl can decode.
        try set(CURLOPT_ACCEPT_ENCODING, "")
        try check(library.setProtocols(handle))
    }

    /// Sets how long libcurl waits for a connection, and for the next byte.
    private func setPatience(_ seconds: Double) throws(RemoteFailure) {
        let seconds = Int(seconds.rounded(.up))
        try set(CURLOPT_CONNECTTIMEOUT, seconds)
        try set(CURLOPT_LOW_SPEED_LIMIT, 1)
        try set(CURLOPT_LOW_SPEED_TIME, seconds)
    }

    /// Sets the method and the body.
    private func set(_ request: RemoteRequest) throws(RemoteFailure) {
        if let body = request.body { try check(library.set(handle, body: body)) }
        // This also tells libcurl that the response has no content.
        if request.method == "HEAD" { try set(CURLOPT_NOBODY, 1) }
        try set(CURLOPT_CUSTOMREQUEST, request.method)
    }

    private func receive(into response: IncomingResponse) throws(RemoteFailure) {
        let context = Unmanaged.passUnretained(response).toOpaque()
        for (function, data, take) in [
            (CURLOPT_WRITEFUNCTION, CURLOPT_WRITEDATA, IncomingResponse.takeBody),
            (CURLOPT_HEADERFUNCTION, CURLOPT_HEADERDATA, IncomingResponse.takeHeader),
        ] {
            try check(library.set(handle, function, take))
            try set(data, context)
        }
    }

    /// A list of header fields, which the caller frees; nil if it is empty.
    private func list(
        of headers: [(name: String, value: String)]
    ) throws(RemoteFailure) -> UnsafeMutableRawPointer? {
        var list: UnsafeMutableRawPointer?
        for (name, value) in headers {
            list = library.append("\(name): \(value)", to: list)
            if list == nil { throw .unreachable(url, "no memory is left") }
        }
        return list
    }

    private func status() throws(RemoteFailure) -> Int {
        guard let status = library.status(handle) else { throw .unreachable(url, "the answer has no status") }
        return status
    }

    private func set(_ option: bellwether_curl_option, _ value: Int) throws(RemoteFailure) {
        try check(library.set(handle, option, value))
    }

    private func set(_ option: bellwether_curl_option, _ value: String) throws(RemoteFailure) {
        try check(library.set(handle, option, value))
    }

    private func set(_ option: bellwether_curl_option, _ value: UnsafeRawPointer?) throws(RemoteFailure) {
        try check(library.set(handle, option, value))
    }

    /// Throws libcurl's description of a failure. It contains addresses, certificates and numbers of bytes, but never
    /// the sent data.
    private func check(_ code: Int32) throws(RemoteFailure) {
        guard code != CURLE_OK else { return }
        let text = reason.pointee == 0 ? library.words(for: code) : String(cString: reason)
        throw .unreachable(url, text.plain)
    }
}
