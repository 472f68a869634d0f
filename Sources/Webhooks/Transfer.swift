internal import BellwetherService
internal import CCurl
internal import Curl
internal import Glibc
internal import HTTPWire

/// One request in progress: an easy handle of libcurl with its options, and the received part of the response.
final class Transfer {
    /// A request, and the completion that waits for its end.
    struct Order: Sendable {
        let request: WebhookRequest
        /// The rules at the time when the request was made.
        let rules: AddressRules
        /// The deadline, in nanoseconds of `MonotonicTime`.
        let deadline: UInt64
        let completion: WebhookCompletion

        init(_ request: WebhookRequest, _ rules: AddressRules, completion: @escaping WebhookCompletion) {
            (self.request, self.rules, self.completion) = (request, rules, completion)
            deadline = MonotonicTime.nanoseconds + UInt64(max(0, min(request.seconds, 3600)) * 1e9)
        }

        var host: String { request.url.host }

        fileprivate var millisecondsLeft: Int {
            let now = MonotonicTime.nanoseconds
            return deadline > now ? max(1, Int((deadline - now) / 1_000_000)) : 1
        }
    }

    private static let connectMilliseconds = 10_000
    /// The maximum size of all heads of a response.
    private static let headBound = 64 << 10

    let handle: UnsafeMutableRawPointer
    private let library: CurlLibrary
    private let request: WebhookRequest
    private let rules: AddressRules
    private let milliseconds: Int
    private let completion: (Result<WebhookResponse, WebhookFailure>) -> Void
    private var headers: UnsafeMutableRawPointer?

    private var body: [UInt8] = []
    private var headBytes = 0
    private var retryAfterSeconds: Int64?
    private var contentType: String?
    private var isTooLong = false
    /// The number of addresses that the rules refused, and the number of opened sockets.
    private var (refused, opened) = (0, 0)

    init(
        _ order: Order, _ library: CurlLibrary,
        _ completion: @escaping (Result<WebhookResponse, WebhookFailure>) -> Void
    ) throws(WebhookFailure) {
        guard let handle = library.easyInit() else { throw .noLibrary("it gives no handle") }
        self.handle = handle
        self.library = library
        request = order.request
        rules = order.rules
        milliseconds = order.millisecondsLeft
        self.completion = completion
        try setRules()
        try setRequest()
        try setCallbacks()
    }

    deinit {
        library.easyCleanup(handle)
        library.listFree(headers)
    }

    /// Sets the rules and the bounds of time.
    private func setRules() throws(WebhookFailure) {
        try check(library.setRules(handle))
        try check(library.set(handle, CURLOPT_TIMEOUT_MS, milliseconds))
        try check(library.set(handle, CURLOPT_CONNECTTIMEOUT_MS, min(milliseconds, Self.connectMilliseconds)))
    }

    private func setRequest() throws(WebhookFailure) {
        try check(library.set(handle, CURLOPT_URL, request.url.text))
        if request.method == .post { try check(library.set(handle, body: request.body)) }
        // libcurl sends a header without a value for `Name;`, and omits a header for `Expect:`.
        var lines = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        lines.append("Expect:")
        for line in lines {
            headers = library.append(line, to: headers)
            if headers == nil { throw .unreachable(library.words(for: Int32(CURLE_OUT_OF_MEMORY))) }
        }
        try check(library.set(handle, CURLOPT_HTTPHEADER, headers))
    }

    private func setCallbacks() throws(WebhookFailure) {
        let context = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        try check(library.set(handle, openSocket: Self.openSocket))
        try check(library.set(handle, CURLOPT_OPENSOCKETDATA, context))
        try check(library.set(handle, CURLOPT_WRITEFUNCTION, Self.takeBody))
        try check(library.set(handle, CURLOPT_WRITEDATA, context))
        try check(library.set(handle, CURLOPT_HEADERFUNCTION, Self.takeHead))
        try check(library.set(handle, CURLOPT_HEADERDATA, context))
        // This checks a connection that was opened under earlier rules. A library older than 7.80 (2021) lacks the
        // option.
        let code = library.set(handle, beforeRequest: Self.beforeRequest)
        guard code != CURLE_UNKNOWN_OPTION else { return }
        try check(code)
        try check(library.set(handle, CURLOPT_PREREQDATA, context))
    }

    private func check(_ code: Int32) throws(WebhookFailure) {
        guard code == CURLE_OK else { throw .unreachable(library.words(for: code)) }
    }

    /// Ends the transfer, after libcurl has finished with the handle and returned this code.
    func finish(_ code: Int32) { completion(result(code)) }

    func cancel() { completion(.failure(.closed)) }

    private func result(_ code: Int32) -> Result<WebhookResponse, WebhookFailure> {
        if isTooLong { return .failure(.answerTooLong) }
        guard code == CURLE_OK else {
            if refused > 0, opened == 0 { return .failure(.refusedAddress) }
            return .failure(code == CURLE_OPERATION_TIMEDOUT ? .timeout : .unreachable(library.words(for: code)))
        }
        guard let status = library.status(handle) else { return .failure(.unreachable("the answer has no status")) }
        return .success(
            WebhookResponse(
                status: status, retryAfterSeconds: retryAfterSeconds, contentType: contentType, body: body))
    }
}

/// The functions that libcurl calls while a transfer runs.
extension Transfer {
    private static func from(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let openSocket: bellwether_curl_open_socket = { context, _, address in
        guard let transfer = Transfer.from(context), let address else { return Int32(CURL_SOCKET_BAD) }
        return transfer.open(address)
    }

    private func open(_ address: UnsafeMutablePointer<bellwether_curl_address>) -> Int32 {
        let offset = MemoryLayout<bellwether_curl_address>.offset(of: \.address) ?? 16
        let bytes = UnsafeRawBufferPointer(
            start: UnsafeRawPointer(address) + offset, count: Int(address.pointee.length))
        guard rules.allow(PeerAddress(family: address.pointee.family, bytes)) else {
            refused += 1
            return Int32(CURL_SOCKET_BAD)
        }
        opened += 1
        return socket(
            address.pointee.family, address.pointee.type | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    }

    private static let beforeRequest: bellwether_curl_before_request = { context, peer, _, _, _ in
        guard let transfer = Transfer.from(context), let peer else { return Int32(CURL_PREREQFUNC_ABORT) }
        let address = PeerAddress(text: Array(String(cString: peer).utf8)[...]) ?? .unknown
        guard transfer.rules.allow(address) else {
            (transfer.refused, transfer.opened) = (1, 0)
            return Int32(CURL_PREREQFUNC_ABORT)
        }
        return Int32(CURL_PREREQFUNC_OK)
    }

    private static let takeBody: bellwether_curl_take = { bytes, size, count, context in
        guard let transfer = Transfer.from(context), let bytes else { return 0 }
        let (length, room) = (size * count, transfer.request.answerBound - transfer.body.count)
        guard length <= room else {
            transfer.isTooLong = true
            return 0
        }
        transfer.body += UnsafeRawBufferPointer(start: bytes, count: length)
        return length
    }

    private static let takeHead: bellwether_curl_take = { bytes, size, count, context in
        guard let transfer = Transfer.from(context), let bytes else { return 0 }
        let length = size * count
        transfer.headBytes += length
        guard transfer.headBytes <= Transfer.headBound else {
            transfer.isTooLong = true
            return 0
        }
        transfer.add(line: String(decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self))
        return length
    }

    /// Adds a line of a head. A status line begins a new head: the head before it was an interim response (1xx).
    private func add(line: String) {
        if line.hasPrefix("HTTP/") { (retryAfterSeconds, contentType) = (nil, nil) }
        guard let colon = line.firstIndex(of: ":") else { return }
        let value = line[line.index(after: colon)...].trimmed
        switch line[..<colon].lowercased() {
        case "retry-after": retryAfterSeconds = Int64(value).flatMap { $0 >= 0 ? $0 : nil }
        case "content-type": contentType = value
        default: break
        }
    }
}

extension Substring {
    /// The text without spaces, tabs and line ends on both sides.
    fileprivate var trimmed: String {
        let isBlank = { (byte: UInt8) in [0x20, 0x09, 0x0D, 0x0A].contains(byte) }
        let start = utf8.drop(while: isBlank)
        guard let last = start.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(Substring(start[...last]))
    }
}

extension PeerAddress {
    /// Reads an address in the form of the socket calls. Families other than IPv4 and IPv6 are unknown.
    fileprivate init(family: Int32, _ bytes: UnsafeRawBufferPointer) {
        let place4 = MemoryLayout<sockaddr_in>.offset(of: \.sin_addr) ?? 4
        let place6 = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr) ?? 8
        switch family {
        case AF_INET where bytes.count >= place4 + 4:
            self = .ipv4(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place4, as: UInt32.self)), port: 0)
        case AF_INET6 where bytes.count >= place6 + 16:
            let halves = [place6, place6 + 8].map {
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self))
            }
            self = .ipv6(halves[0], halves[1], port: 0)
        default: self = .unknown
        }
    }
}
