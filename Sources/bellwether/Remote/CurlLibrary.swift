internal import CCurl
internal import Glibc

/// libcurl, loaded by a command that speaks to a running daemon: the daemon itself has no page of it (decision 24).
///
/// It stays loaded until the process ends.
struct CurlLibrary {
    /// With OpenSSL, then as Debian builds it with GnuTLS; the interface is the same.
    static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]

    let easyInit: bellwether_curl_easy_init
    let easyReset: bellwether_curl_easy_reset
    let easyPerform: bellwether_curl_easy_perform
    let easyCleanup: bellwether_curl_easy_cleanup
    let listAppend: bellwether_curl_slist_append
    let listFree: bellwether_curl_slist_free_all
    /// `curl_easy_setopt` and `curl_easy_getinfo`: variadic, so called through `CCurl`.
    let setOption: UnsafeMutableRawPointer
    let getInformation: UnsafeMutableRawPointer
    private let easyError: bellwether_curl_easy_strerror

    init() throws(RemoteFailure) {
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
        guard code == CURLE_OK else { throw .noLibrary(words(for: code)) }
    }

    /// libcurl's words for one of its codes.
    func words(for code: Int32) -> String { easyError(code).map { String(cString: $0) } ?? "error \(code)" }

    /// The first that is there; else what was wrong with the one that is expected.
    private static func open() throws(RemoteFailure) -> UnsafeMutableRawPointer {
        var reasons: [String] = []
        for name in names {
            if let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) { return library }
            reasons.append(dlerror().map { String(cString: $0) } ?? name)
        }
        throw .noLibrary(reasons.first ?? "no name")
    }

    private static func function<Function>(
        _ name: String, of library: UnsafeMutableRawPointer
    ) throws(RemoteFailure) -> Function {
        guard let address = dlsym(library, name) else { throw .noLibrary("it has no \(name)") }
        return unsafeBitCast(address, to: Function.self)
    }
}
