public import CCurl
internal import Glibc

/// libcurl, loaded when the process makes its first request. A daemon that makes no request never maps it
/// (docs/decisions/archive/0024-the-command-line-loads-libcurl.md).
///
/// It stays loaded until the process ends.
public struct CurlLibrary {
    /// The reason why libcurl cannot be used.
    public struct Fault: Error {
        public let reason: String

        public init(reason: String) { self.reason = reason }
    }

    /// The library with OpenSSL, then Debian's build with GnuTLS. Both have the same interface.
    private static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]

    public let easyInit: bellwether_curl_easy_init
    public let easyReset: bellwether_curl_easy_reset
    public let easyPerform: bellwether_curl_easy_perform
    public let easyCleanup: bellwether_curl_easy_cleanup
    public let listAppend: bellwether_curl_slist_append
    public let listFree: bellwether_curl_slist_free_all
    private let setOption: UnsafeMutableRawPointer
    private let getInformation: UnsafeMutableRawPointer
    private let easyError: bellwether_curl_easy_strerror
    private let library: UnsafeMutableRawPointer

    public init() throws(Fault) {
        library = try Self.open()
        let globalInit: bellwether_curl_global_init = try Self.function("curl_global_init", of: library)
        easyInit = try Self.function("curl_easy_init", of: library)
        easyReset = try Self.function("curl_easy_reset", of: library)
        easyPerform = try Self.function("curl_easy_perform", of: library)
        easyCleanup = try Self.function("curl_easy_cleanup", of: library)
        listAppend = try Self.function("curl_slist_append", of: library)
        listFree = try Self.function("curl_slist_free_all", of: library)
        setOption = try Self.function("curl_easy_setopt", of: library)
        getInformation = try Self.function("curl_easy_getinfo", of: library)
        easyError = try Self.function("curl_easy_strerror", of: library)
        let code = globalInit(Int(CURL_GLOBAL_ALL))
        guard code == CURLE_OK else { throw Fault(reason: words(for: code)) }
    }

    /// libcurl's description of an error code.
    public func words(for code: Int32) -> String { easyError(code).map { String(cString: $0) } ?? "error \(code)" }

    /// The functions for many transfers on one thread. A library older than 7.68 (2020) lacks some of them.
    public func multi() throws(Fault) -> CurlMultiFunctions { try CurlMultiFunctions(library) }

    /// Opens the first library that exists. If there is none, the error has the reason for the first name.
    private static func open() throws(Fault) -> UnsafeMutableRawPointer {
        var reasons: [String] = []
        for name in names {
            if let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) { return library }
            reasons.append(dlerror().map { String(cString: $0) } ?? name)
        }
        throw Fault(reason: reasons.first ?? "no name")
    }

    fileprivate static func function<Function>(
        _ name: String, of library: UnsafeMutableRawPointer
    ) throws(Fault) -> Function {
        guard let address = dlsym(library, name) else { throw Fault(reason: "it has no \(name)") }
        return unsafeBitCast(address, to: Function.self)
    }
}

/// Options of an easy handle. Each function returns libcurl's code.
extension CurlLibrary {
    public func set(_ handle: UnsafeMutableRawPointer, _ option: bellwether_curl_option, _ value: Int) -> Int32 {
        bellwether_curl_set_long(setOption, handle, option, value)
    }

    public func set(_ handle: UnsafeMutableRawPointer, _ option: bellwether_curl_option, _ value: String) -> Int32 {
        value.withCString { bellwether_curl_set_pointer(setOption, handle, option, $0) }
    }

    public func set(
        _ handle: UnsafeMutableRawPointer, _ option: bellwether_curl_option, _ value: UnsafeRawPointer?
    ) -> Int32 {
        bellwether_curl_set_pointer(setOption, handle, option, value)
    }

    public func set(
        _ handle: UnsafeMutableRawPointer, _ option: bellwether_curl_option, _ value: bellwether_curl_take
    ) -> Int32 {
        bellwether_curl_set_take(setOption, handle, option, value)
    }

    public func set(_ handle: UnsafeMutableRawPointer, openSocket: bellwether_curl_open_socket) -> Int32 {
        bellwether_curl_set_open_socket(setOption, handle, openSocket)
    }

    public func set(_ handle: UnsafeMutableRawPointer, beforeRequest: bellwether_curl_before_request) -> Int32 {
        bellwether_curl_set_before_request(setOption, handle, beforeRequest)
    }

    public func set(_ handle: UnsafeMutableRawPointer, progress: bellwether_curl_progress) -> Int32 {
        bellwether_curl_set_progress(setOption, handle, progress)
    }

    /// libcurl reads the body from this memory, which must stay as it is until the transfer has ended.
    public func set(_ handle: UnsafeMutableRawPointer, bodyInPlace body: UnsafeRawBufferPointer) -> Int32 {
        let code = bellwether_curl_set_size(setOption, handle, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count))
        guard code == CURLE_OK else { return code }
        // Without a pointer, libcurl would read standard input.
        guard let start = body.baseAddress else { return set(handle, body: []) }
        return bellwether_curl_set_pointer(setOption, handle, CURLOPT_POSTFIELDS, start)
    }

    /// libcurl copies the body. The size is set first, because a document may contain a NUL.
    public func set(_ handle: UnsafeMutableRawPointer, body: [UInt8]) -> Int32 {
        let code = bellwether_curl_set_size(setOption, handle, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count))
        guard code == CURLE_OK else { return code }
        // The pointer is never nil: without a body, libcurl would read standard input.
        return (body + [0]).withUnsafeBytes {
            bellwether_curl_set_pointer(setOption, handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
        }
    }

    /// Sets the rules of the daemon's own requests: http and https only, no redirects, verified certificates, and
    /// nothing of the process's environment, such as proxies. Returns the first code that is not `CURLE_OK`. Then
    /// nothing may be sent, so that no rule is silently off.
    public func setRules(_ handle: UnsafeMutableRawPointer) -> Int32 {
        let numbers: [(bellwether_curl_option, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_NETRC, 0), (CURLOPT_SSL_VERIFYPEER, 1),
            (CURLOPT_SSL_VERIFYHOST, 2),
            // HTTP/1.1 sends one request at a time on a connection, so the requests in progress bound the connections.
            (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
        ]
        for (option, value) in numbers {
            let code = set(handle, option, value)
            guard code == CURLE_OK else { return code }
        }
        // An empty name disables the proxies of the environment, too.
        let code = set(handle, CURLOPT_PROXY, "")
        return code == CURLE_OK ? setProtocols(handle) : code
    }

    /// Allows http and https, and no other protocol.
    public func setProtocols(_ handle: UnsafeMutableRawPointer) -> Int32 {
        // libcurl has this option since 7.85 (2022).
        let code = set(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        guard code == CURLE_UNKNOWN_OPTION else { return code }
        return set(handle, CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS))
    }

    /// Adds a line to a list. If no memory is left, it frees the list and returns nil.
    public func append(_ line: String, to list: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let longer = listAppend(list, line) { return longer }
        listFree(list)
        return nil
    }

    /// The status of the response; nil if there is none.
    public func status(_ handle: UnsafeMutableRawPointer) -> Int? {
        var status = 0
        let code = bellwether_curl_get_long(getInformation, handle, Int32(CURLINFO_RESPONSE_CODE), &status)
        return code == CURLE_OK && status > 0 ? status : nil
    }
}

/// libcurl's functions for many transfers on one thread.
public struct CurlMultiFunctions {
    public let create: bellwether_curl_multi_init
    public let add: bellwether_curl_multi_add_handle
    public let remove: bellwether_curl_multi_remove_handle
    public let perform: bellwether_curl_multi_perform
    public let poll: bellwether_curl_multi_poll
    /// Ends a `poll`. Other threads may call only this function.
    public let wakeUp: bellwether_curl_multi_wakeup
    public let readMessage: bellwether_curl_multi_info_read
    public let free: bellwether_curl_multi_cleanup
    private let setOption: UnsafeMutableRawPointer

    fileprivate init(_ library: UnsafeMutableRawPointer) throws(CurlLibrary.Fault) {
        create = try CurlLibrary.function("curl_multi_init", of: library)
        add = try CurlLibrary.function("curl_multi_add_handle", of: library)
        remove = try CurlLibrary.function("curl_multi_remove_handle", of: library)
        perform = try CurlLibrary.function("curl_multi_perform", of: library)
        poll = try CurlLibrary.function("curl_multi_poll", of: library)
        wakeUp = try CurlLibrary.function("curl_multi_wakeup", of: library)
        readMessage = try CurlLibrary.function("curl_multi_info_read", of: library)
        free = try CurlLibrary.function("curl_multi_cleanup", of: library)
        setOption = try CurlLibrary.function("curl_multi_setopt", of: library)
    }

    /// Sets how many connections are kept for later transfers.
    public func keepConnections(_ multi: UnsafeMutableRawPointer, atMost count: Int) {
        _ = bellwether_curl_multi_set_long(setOption, multi, Int32(CURLMOPT_MAXCONNECTS), count)
    }
}
