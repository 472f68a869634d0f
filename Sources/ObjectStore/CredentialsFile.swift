internal import Glibc

/// A file in the format of AWS's `credentials`: profiles in brackets, with `name = value` lines.
///
/// As in AWS's own library, a comment has its own line, which begins with `#` or `;`; names ignore case; a profile that
/// comes twice is one, whose later lines win. Lines that begin with a space continue a value, and are ignored.
struct CredentialsFile {
    private var profiles: [String: [String: String]] = [:]

    private static let maximumBytes = 256 << 10

    init(_ text: String) {
        var profile: String?
        for line in text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline) {
            guard let first = line.first, !first.isBlank, first != "#", first != ";" else { continue }
            if first == "[" {
                profile = line.firstIndex(of: "]").map { line[line.index(after: line.startIndex)..<$0].withoutBlanks }
                if let profile { profiles[profile, default: [:]] = profiles[profile] ?? [:] }
            } else if let profile, let equals = line.firstIndex(of: "=") {
                let name = line[..<equals].withoutBlanks.lowercased()
                profiles[profile, default: [:]][name] = line[line.index(after: equals)...].withoutBlanks
            }
        }
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    static func read(_ path: String) throws(ObjectStoreFault) -> CredentialsFile {
        // The file may be a pipe without a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw .noCredentials("the file \(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: maximumBytes + 1)
        var length = 0
        while length < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress.map { $0 + length }, $0.count - length)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw .noCredentials("the file \(path) cannot be read: \(String(cString: strerror(errno)))")
            }
            if count == 0 { break }
            length += count
        }
        guard length <= maximumBytes else {
            throw .noCredentials("the file \(path) has more than \(maximumBytes) bytes")
        }
        let content = bytes[..<length]
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return CredentialsFile(String(decoding: content.dropFirst(content.starts(with: mark) ? 3 : 0), as: UTF8.self))
    }

    /// The credentials of a profile. Sentences name the file and the profile, and no value.
    func credentials(of profile: String, in path: String) throws(ObjectStoreFault) -> ObjectCredentials {
        guard let values = profiles[profile] else {
            throw .noCredentials("the file \(path) has no profile [\(profile)]")
        }
        for name in ["aws_access_key_id", "aws_secret_access_key"] where values[name, default: ""].isEmpty {
            throw .noCredentials("the profile [\(profile)] of \(path) has no \(name)")
        }
        let credentials = ObjectCredentials(
            accessKey: values["aws_access_key_id", default: ""], secret: values["aws_secret_access_key", default: ""],
            sessionToken: values["aws_session_token"])
        guard let credentials else {
            throw .noCredentials("a value of the profile [\(profile)] of \(path) has a space or is no ASCII")
        }
        return credentials
    }
}

extension Character {
    fileprivate var isBlank: Bool { self == " " || self == "\t" }
}

extension Substring {
    /// The text without spaces and tabs at its ends.
    fileprivate var withoutBlanks: String {
        var rest = drop(while: \.isBlank)
        while rest.last?.isBlank == true { rest.removeLast() }
        return String(rest)
    }
}
