/// Why an operation failed. No text of it has a secret, a signature, or words of the server but its error code.
public enum ObjectStoreFault: Error, Sendable, Hashable {
    /// libcurl is not installed, or cannot be used.
    case noLibrary(String)
    /// No source has credentials; the text is a sentence.
    case noCredentials(String)
    /// The metadata service of the machine gave none; the text is a sentence.
    case noInstanceRole(String)
    case improperKey
    /// A name of metadata is no token, or a value is no printable ASCII.
    case improperMetadata(String)
    /// The body has so many bytes, more than `ObjectStore.maximumBytes`.
    case tooLarge(Int)
    case timeout
    /// The text is libcurl's own.
    case unreachable(String)
    /// The certificate of the server is not trusted; the text is libcurl's own.
    case untrusted(String)
    /// The owner of the store asked to stop.
    case stopped
    /// An answer has more bytes than asked for.
    case answerTooLong
    /// An answer is not what the protocol says; the text is a sentence.
    case badAnswer(String)
    /// A list has more keys than `ObjectStoreLimits.listedKeys`.
    case tooManyKeys(Int)
    /// The server refuses the credentials, or what they may do.
    case refused(status: Int, code: String?)
    /// The clocks differ by so many seconds, and a signature with the server's time was refused, too.
    case skewedClock(seconds: Int64?)
    /// The bucket is in another region, if known.
    case otherRegion(bucket: String, region: String?)
    case noBucket(String)
    /// The server asks to come again: 408, 409, 429, 5xx.
    case busy(status: Int, code: String?)
    case unexpected(status: Int, code: String?)

    /// One sentence for a log or a list.
    public var sentence: String {
        switch self {
        case .noLibrary(let reason): "libcurl.so.4 is not installed, or cannot be used: \(reason)"
        case .noCredentials(let sentence), .noInstanceRole(let sentence), .badAnswer(let sentence): sentence
        case .improperKey:
            "a key has 1 to 1024 bytes with its prefix, no control character, and no segment that is empty or dots"
        case .improperMetadata(let name):
            "the metadata \(name) has an improper name, or a value that is no printable ASCII"
        case .tooLarge(let bytes): "the object has \(bytes) bytes, and at most \(ObjectStore.maximumBytes) are sent"
        case .timeout: "the object store did not answer in time"
        case .unreachable(let reason): "the object store cannot be reached: \(reason)"
        case .untrusted(let reason): "the certificate of the object store is not trusted: \(reason)"
        case .stopped: "the request was stopped"
        case .answerTooLong: "the answer of the object store is too long"
        case .tooManyKeys(let bound): "the list has more than \(bound) keys"
        case .refused(let status, let code):
            "the object store refuses the credentials, or they lack a right (\(Self.words(status, code)))"
        case .skewedClock(let seconds):
            "the clock differs from the object store's" + (seconds.map { " by \($0) s" } ?? "")
                + ", and it refuses the signature"
        case .otherRegion(let bucket, let region):
            "the bucket \(bucket) is in "
                + (region.map { "the region \($0)" } ?? "another region or at another endpoint")
        case .noBucket(let bucket): "the bucket \(bucket) does not exist"
        case .busy(let status, let code): "the object store asks to come again (\(Self.words(status, code)))"
        case .unexpected(let status, let code): "the object store answers \(Self.words(status, code))"
        }
    }

    /// Whether the same request may succeed later, without a person: the caller tries again, at growing intervals.
    public var isPassing: Bool {
        switch self {
        case .timeout, .unreachable, .busy, .stopped, .noInstanceRole: true
        case .noLibrary, .noCredentials, .improperKey, .improperMetadata, .tooLarge, .untrusted, .answerTooLong,
            .badAnswer, .tooManyKeys, .refused, .skewedClock, .otherRegion, .noBucket, .unexpected:
            false
        }
    }

    private static func words(_ status: Int, _ code: String?) -> String {
        code.map { "\(status) \($0)" } ?? "status \(status)"
    }
}

/// A fact that the owner of a store should report once. The store works on.
public enum ObjectStoreWarning: Sendable, Hashable {
    /// The server knows no `If-None-Match` or `If-Match`: the store asks with HEAD first, which another writer can
    /// overtake.
    case noPreconditions
    /// The clocks differ by so many seconds; requests are signed with the server's time.
    case clockOffset(seconds: Int64)

    public var sentence: String {
        switch self {
        case .noPreconditions:
            "the object store does not support conditional writes; two writers can overwrite each other's objects"
        case .clockOffset(let seconds):
            "the clock differs from the object store's by \(seconds) s; requests are signed with the store's time"
        }
    }
}
