public import CCurl
internal import Glibc

/// libcurl, loaded when the process makes its first request: a daemon that makes none has no page of it
/// (docs/decisions/0024-the-command-line-loads-libcurl.md).
///
/// It stays loaded until the process ends.
public struct CurlLibrary {
    /// Why there is no libcurl.
    public struct Fault: Error {
        public let reason: String
    }

    /// With OpenSSL, then as Debian builds it with GnuTLS; the interface is the same.
    private static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]

    public let easyInit: bellwether_curl_easy_init
    public let easyReset: bellwether_curl_easy_reset
    public let easyPerform: bellwether_curl_easy_perform
    public let easyCleanup: bellwether_curl_easy_cleanup
    public let listAppend: bellwether_curl_slist_append
    public let listFree: bellwether_curl_slist_free_all
    /// `curl_easy_setopt` and `curl_easy_getinfo`: variadic, so called through `CCurl`.
    public let setOption: UnsafeMutableRawPointer
    public let getInformation: UnsafeMutableRawPointer
    private let easyError: bellwether_curl_easy_strerror

    public init() throws(Fault) {
        let library = try Self.open()
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

    /// libcurl's words for one of its codes.
    public func words(for code: Int32) -> String { easyError(code).map { String(cString: $0) } ?? "error \(code)" }

    /// The first that is there; else what was wrong with the one that is expected.
    private static func open() throws(Fault) -> UnsafeMutableRawPointer {
        var reasons: [String] = []
        for name in names {
            if let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) { return library }
            reasons.append(dlerror().map { String(cString: $0) } ?? name)
        }
        throw Fault(reason: reasons.first ?? "no name")
    }

    private static func function<Function>(
        _ name: String, of library: UnsafeMutableRawPointer
    ) throws(Fault) -> Function {
        guard let address = dlsym(library, name) else { throw Fault(reason: "it has no \(name)") }
        return unsafeBitCast(address, to: Function.self)
    }
}
