internal import CCurl
internal import Glibc

/// The received part of an answer, and the functions that libcurl calls while it comes.
final class ResponseReceiver {
    private(set) var answer = ObjectResponse()
    private(set) var isTooLong = false
    private(set) var isRefusedAddress = false

    private let answerBound: Int
    private let allowsLinkLocal: Bool
    private let isStopped: () -> Bool
    private var headBytes = 0

    /// The maximum size of all heads of an answer. Metadata has at most 2 KiB.
    private static let headBound = 64 << 10

    init(_ request: ObjectRequest, _ isStopped: @escaping () -> Bool) {
        (answerBound, allowsLinkLocal) = (request.answerBound, request.allowsLinkLocal)
        self.isStopped = isStopped
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> ResponseReceiver? {
        context.map { Unmanaged<ResponseReceiver>.fromOpaque($0).takeUnretainedValue() }
    }

    static let openSocket: bellwether_curl_open_socket = { context, _, address in
        guard let receiver = ResponseReceiver.from(context), let address else { return Int32(CURL_SOCKET_BAD) }
        return receiver.open(address)
    }

    static let takeBody: bellwether_curl_take = { bytes, size, count, context in
        guard let receiver = ResponseReceiver.from(context), let bytes else { return 0 }
        return receiver.take(body: UnsafeRawBufferPointer(start: bytes, count: size * count))
    }

    static let takeHead: bellwether_curl_take = { bytes, size, count, context in
        guard let receiver = ResponseReceiver.from(context), let bytes else { return 0 }
        return receiver.take(line: UnsafeRawBufferPointer(start: bytes, count: size * count))
    }

    static let progress: bellwether_curl_progress = { context, _, _, _, _ in
        ResponseReceiver.from(context)?.isStopped() == true ? 1 : 0
    }

    /// Opens a socket. Link-local addresses are those of metadata services, which have credentials.
    private func open(_ address: UnsafeMutablePointer<bellwether_curl_address>) -> Int32 {
        let offset = MemoryLayout<bellwether_curl_address>.offset(of: \.address) ?? 16
        let bytes = UnsafeRawBufferPointer(
            start: UnsafeRawPointer(address) + offset, count: Int(address.pointee.length))
        guard allowsLinkLocal || !Self.isLinkLocal(address.pointee.family, bytes) else {
            isRefusedAddress = true
            return Int32(CURL_SOCKET_BAD)
        }
        return socket(
            address.pointee.family, address.pointee.type | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    }

    /// Whether a socket address is in 169.254.0.0/16 or fe80::/10, also in the form of IPv6 for IPv4.
    static func isLinkLocal(_ family: Int32, _ bytes: UnsafeRawBufferPointer) -> Bool {
        let place4 = MemoryLayout<sockaddr_in>.offset(of: \.sin_addr) ?? 4
        let place6 = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr) ?? 8
        if family == AF_INET, bytes.count >= place4 + 4 { return bytes[place4] == 169 && bytes[place4 + 1] == 254 }
        guard family == AF_INET6, bytes.count >= place6 + 16 else { return false }
        let address = Array(bytes[place6..<(place6 + 16)])
        let isMapped = address[..<10].allSatisfy { $0 == 0 } && address[10] == 0xFF && address[11] == 0xFF
        return isMapped
            ? address[12] == 169 && address[13] == 254 : address[0] == 0xFE && address[1] & 0xC0 == 0x80
    }

    private func take(body bytes: UnsafeRawBufferPointer) -> Int {
        let bound = answer.isSuccess ? answerBound : ObjectRequest.errorBound
        let room = bound - answer.body.count
        if answer.isSuccess, bytes.count > room {
            isTooLong = true
            return 0
        }
        // The rest of a long error says nothing more.
        answer.body += bytes.prefix(max(0, room))
        return bytes.count
    }

    /// Takes a line of a head. A status line begins a new head: the head before it was an interim response (1xx).
    private func take(line bytes: UnsafeRawBufferPointer) -> Int {
        headBytes += bytes.count
        guard headBytes <= Self.headBound else {
            isTooLong = true
            return 0
        }
        if bytes.starts(with: "HTTP/".utf8) {
            let words = bytes.split(separator: UInt8(ascii: " "), maxSplits: 2)
            answer = ObjectResponse()
            answer.status = words.count > 1 ? Int(Self.text(words[1][...])) ?? 0 : 0
        } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
            let name = Self.text(bytes[..<colon]).lowercased()
            answer.headers[name] = Self.text(bytes[(colon + 1)...])
            if name == "content-length", answer.isSuccess { reserve() }
        }
        return bytes.count
    }

    /// Reserves the memory of the body at once.
    private func reserve() {
        let length = Int(answer.headers["content-length", default: ""]) ?? 0
        answer.body.reserveCapacity(min(max(0, length), answerBound))
    }

    /// A text without spaces, tabs and line ends at its ends.
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let isBlank = { (byte: UInt8) in [0x20, 0x09, 0x0D, 0x0A].contains(byte) }
        let start = bytes.drop(while: isBlank)
        guard let last = start.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(decoding: start[...last], as: UTF8.self)
    }
}
