internal import BellwetherBase

/// The bounds of a store's requests.
public struct ObjectStoreLimits: Sendable, Hashable {
    /// How long a connection may take to open, in milliseconds.
    public var connectMilliseconds = 10_000
    /// How long a request with or for a whole object may take. 64 MiB in 5 minutes are 1.8 megabits a second.
    public var objectMilliseconds = 300_000
    /// How long any other request may take.
    public var milliseconds = 30_000
    /// The maximum number of keys of a list.
    public var listedKeys = 100_000

    public init() {}
}

/// Objects in a bucket of a store with the interface of S3. It blocks, and is used on one thread.
///
/// It never tries again by itself, but for three refusals that it understands: a clock that differs, credentials that
/// have changed at their source, and conditional writes that the server does not know.
public final class ObjectStore {
    /// A condition on the key, without which no object is stored.
    public enum Precondition: Sendable, Hashable {
        case none
        /// There is no object: `If-None-Match: *`.
        case absent
        /// The object has this ETag, with its quotes: `If-Match`.
        case unchanged(etag: String)
    }

    public enum PutOutcome: Sendable, Hashable {
        /// The ETag with its quotes; empty if the server gives none.
        case stored(etag: String)
        /// The precondition is not true. After a lost answer, the object may be the one that was sent.
        case refused
    }

    /// The description of an object, without its bytes.
    public struct Head: Sendable, Hashable {
        public let etag: String
        public let size: Int64
        /// The metadata, with lower-case names and without `x-amz-meta-`.
        public let metadata: [String: String]
    }

    /// The maximum size of an object: one PUT sends it, from memory.
    public static let maximumBytes = 64 << 20

    public let address: ObjectStoreAddress
    let limits: ObjectStoreLimits
    let chain: ObjectCredentialChain
    let now: @Sendable () -> Int64
    let connection: ObjectConnection
    /// The cached credentials.
    var credentials: ObjectCredentials?
    /// The difference of the server's clock to ours, in milliseconds; 0 until the server refuses ours.
    var clockOffset: Int64 = 0
    private var warned: Set<ObjectStoreWarning> = []

    /// Called with each warning once.
    public var onWarning: ((ObjectStoreWarning) -> Void)?
    /// Whether the server does not know conditional writes. Then a PUT asks with HEAD before it.
    public private(set) var lacksPreconditions = false

    /// Loads libcurl, and sends nothing. `now` is the time in milliseconds since 1970.
    public init(
        _ address: ObjectStoreAddress, _ chain: ObjectCredentialChain, limits: ObjectStoreLimits = ObjectStoreLimits(),
        now: @escaping @Sendable () -> Int64
    ) throws(ObjectStoreFault) {
        (self.address, self.chain, self.limits, self.now) = (address, chain, limits, now)
        connection = try ObjectConnection()
    }

    /// Asked about once a second while a request runs, on its thread. True ends the request with the fault `stopped`.
    public var isStopped: () -> Bool {
        get { connection.isStopped }
        set { connection.isStopped = newValue }
    }

    /// Stores an object. The names of the metadata are tokens, without `x-amz-meta-`.
    public func put(
        _ key: String, _ body: [UInt8], metadata: [(name: String, value: String)] = [],
        if precondition: Precondition = .none
    ) throws(ObjectStoreFault) -> PutOutcome {
        guard body.count <= Self.maximumBytes else { throw .tooLarge(body.count) }
        let key = try ObjectKey(key, under: address.prefix)
        let headers = try Self.headers(metadata)
        if precondition != .none, lacksPreconditions { return try putAfterHead(key, body, headers, precondition) }
        let answer = try sendPut(key, body, headers, precondition)
        if answer.isSuccess { return .stored(etag: answer.headers["etag", default: ""]) }
        guard precondition != .none else { throw answer.fault(bucket: address.bucket) }
        if answer.status == 412 { return .refused }
        if case .unchanged = precondition, answer.lacksObject { return .refused }
        guard answer.rejectsPreconditions else { throw answer.fault(bucket: address.bucket) }
        let outcome = try putAfterHead(key, body, headers, precondition)
        // The status 400 has other reasons, too. If it had one of them, a PUT without the precondition got a fault.
        if answer.status == 501 || outcome != .refused {
            lacksPreconditions = true
            warn(.noPreconditions)
        }
        return outcome
    }

    /// Nil if there is no object, or no bucket: the answer has no body, which would tell them apart. S3 answers 403 for
    /// an object that does not exist, unless the credentials have the right `s3:ListBucket`.
    public func head(_ key: String) throws(ObjectStoreFault) -> Head? {
        try head(ObjectKey(key, under: address.prefix))
    }

    /// The bytes of an object; nil if there is none. An object of more than `limit` bytes is a fault.
    public func get(_ key: String, limit: Int) throws(ObjectStoreFault) -> [UInt8]? {
        var operation = Operation(.get, address.path(of: try ObjectKey(key, under: address.prefix)))
        operation.answerBound = limit
        operation.milliseconds = limits.objectMilliseconds
        let answer = try send(operation)
        if answer.isSuccess { return answer.body }
        if answer.lacksObject { return nil }
        throw answer.fault(bucket: address.bucket)
    }

    /// Deletes an object. It is no fault if there is none.
    public func delete(_ key: String) throws(ObjectStoreFault) {
        let answer = try send(Operation(.delete, address.path(of: try ObjectKey(key, under: address.prefix))))
        guard answer.isSuccess || answer.lacksObject else { throw answer.fault(bucket: address.bucket) }
    }

    /// Whether the server refuses to create an object that exists. Some servers ignore `If-None-Match` and replace the
    /// object, which no answer to an ordinary PUT shows. The key must be one that nothing else uses at the same time:
    /// an object without bytes is stored there twice, and deleted.
    public func honorsPreconditions(tryingAt key: String) throws(ObjectStoreFault) -> Bool {
        _ = try put(key, [])
        let answer = try sendPut(ObjectKey(key, under: address.prefix), [], [], .absent)
        guard answer.isSuccess || answer.status == 412 || answer.rejectsPreconditions else {
            throw answer.fault(bucket: address.bucket)
        }
        // A right to delete is not demanded.
        do { try delete(key) } catch { guard case .refused = error else { throw error } }
        return answer.status == 412
    }

    func warn(_ warning: ObjectStoreWarning) {
        if warned.insert(warning).inserted { onWarning?(warning) }
    }
}

extension ObjectStore {
    private func sendPut(
        _ key: ObjectKey, _ body: [UInt8], _ headers: [RequestSigner.Header], _ precondition: Precondition
    ) throws(ObjectStoreFault) -> ObjectResponse {
        var operation = Operation(.put, address.path(of: key))
        operation.headers = headers
        operation.body = body
        operation.milliseconds = limits.objectMilliseconds
        switch precondition {
        case .none: break
        case .absent: operation.unsignedHeaders = [("if-none-match", "*")]
        case .unchanged(let etag):
            guard !etag.isEmpty, etag.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
                throw .badAnswer("an ETag is no printable ASCII")
            }
            operation.unsignedHeaders = [("if-match", etag)]
        }
        return try send(operation)
    }

    /// Stores an object at a server without conditional writes. Another writer can come between the two requests.
    private func putAfterHead(
        _ key: ObjectKey, _ body: [UInt8], _ headers: [RequestSigner.Header], _ precondition: Precondition
    ) throws(ObjectStoreFault) -> PutOutcome {
        let present = try head(key)
        switch precondition {
        case .none: break
        case .absent: if present != nil { return .refused }
        case .unchanged(let etag): if present?.etag != etag { return .refused }
        }
        let answer = try sendPut(key, body, headers, .none)
        guard answer.isSuccess else { throw answer.fault(bucket: address.bucket) }
        return .stored(etag: answer.headers["etag", default: ""])
    }

    private func head(_ key: ObjectKey) throws(ObjectStoreFault) -> Head? {
        let answer = try send(Operation(.head, address.path(of: key)))
        if answer.status == 404 { return nil }
        guard answer.isSuccess else { throw answer.fault(bucket: address.bucket) }
        var metadata: [String: String] = [:]
        for (name, value) in answer.headers where name.hasPrefix(Self.metadataPrefix) {
            metadata[String(name.dropFirst(Self.metadataPrefix.utf8.count))] = value
        }
        guard let size = answer.headers["content-length"].flatMap(Int64.init) else {
            throw .badAnswer("the object store gives no size of an object")
        }
        return Head(etag: answer.headers["etag", default: ""], size: size, metadata: metadata)
    }

    private static let metadataPrefix = "x-amz-meta-"

    /// The headers of metadata. Spaces at the ends of a value and runs of them would not come back as they were.
    private static func headers(
        _ metadata: [(name: String, value: String)]
    ) throws(ObjectStoreFault) -> [RequestSigner.Header] {
        let token = ASCIISet.lowerCase.union(.upperCase).union(.digits).union(ASCIISet("-_."))
        var headers: [RequestSigner.Header] = []
        for (name, value) in metadata {
            guard 1...64 ~= name.utf8.count, name.utf8.allSatisfy(token.contains), value.utf8.count <= 1024,
                value.utf8.allSatisfy({ 0x20...0x7E ~= $0 }), !value.hasPrefix(" "), !value.hasSuffix(" "),
                !value.contains("  ")
            else { throw .improperMetadata(String(name.prefix(64).filter(\.isASCII))) }
            headers.append((metadataPrefix + name.lowercased(), value))
        }
        guard Set(headers.map(\.name)).count == headers.count else { throw .improperMetadata("that comes twice") }
        return headers
    }
}

/// Lists of keys.
extension ObjectStore {
    /// The number of keys of one answer, which is the maximum of S3, and the size that they may have as XML.
    private static let page = (keys: 1000, bytes: 8 << 20)

    /// The keys that begin with a text, in the order of the server, which is that of their bytes. Both are relative to
    /// the address's prefix. The list is not one moment's: objects may come and go while its pages are read.
    public func list(_ prefix: String) throws(ObjectStoreFault) -> [String] {
        let root = address.prefix.isEmpty ? "" : address.prefix + "/"
        var keys: [String] = []
        var token: String?
        // A server may answer with fewer keys than asked for, but not for ever.
        for _ in 0..<max(16, limits.listedKeys / 100) {
            let page = try self.page(root + prefix, token)
            for key in page.keys where key.utf8.starts(with: root.utf8) {
                keys.append(String(decoding: key.utf8.dropFirst(root.utf8.count), as: UTF8.self))
            }
            guard keys.count <= limits.listedKeys else { throw .tooManyKeys(limits.listedKeys) }
            guard let next = page.next else { return keys }
            guard next != token else { throw .badAnswer("the object store gives the same page of a list again") }
            token = next
        }
        throw .badAnswer("the object store does not end a list")
    }

    private func page(
        _ prefix: String, _ token: String?
    ) throws(ObjectStoreFault) -> (keys: [String], next: String?) {
        var operation = Operation(.get, address.bucketPath)
        operation.query = [("list-type", "2"), ("max-keys", String(Self.page.keys)), ("prefix", prefix)]
        if let token { operation.query.append(("continuation-token", token)) }
        operation.answerBound = Self.page.bytes
        let answer = try send(operation)
        guard answer.isSuccess else {
            // No object is asked for: a server without a code means the bucket.
            throw answer.status == 404 ? .noBucket(address.bucket) : answer.fault(bucket: address.bucket)
        }
        guard let xml = ResponseXML(answer.body, only: ["Key", "IsTruncated", "NextContinuationToken"]),
            let isTruncated = xml.first("IsTruncated")
        else { throw .badAnswer("the object store gives a list that cannot be read") }
        let keys = xml.elements.lazy.filter { $0.name == "Key" }.map(\.text)
        guard isTruncated == "true" else { return (Array(keys), nil) }
        guard let next = xml.first("NextContinuationToken"), !next.isEmpty else {
            throw .badAnswer("the object store gives a part of a list, and no way to its rest")
        }
        return (Array(keys), next)
    }
}
