import BellwetherJSON

/// A transform with the values of its subject and arguments.
struct Call {
    let transform: Transform
    let name: String
    let subject: JSONValue
    let arguments: [JSONValue]

    func value(
        in environment: some JEXLEnvironment, _ budget: inout Budget, at offset: Int32
    ) throws(Fault) -> JSONValue {
        let transform = environment.registersTransforms ? transform : .other
        switch transform {
        case .versionCompare, .bucketSample: try budget.spend(bytes: readBytes, at: offset)
        case .event, .other: break
        }
        do throws(TransformFailure) {
            switch transform {
            case .versionCompare: return .integer(Int64(try comparedVersion()))
            case .bucketSample:
                let buckets = try BucketSample.buckets(arguments)
                var text: [UInt8] = []
                subject.write(sortedKeysTo: &text)
                let hash = environment.hash48(ofJSON: text)
                return .bool(
                    BucketSample.contains(
                        hash48: hash, start: buckets.start, count: buckets.count, total: buckets.total))
            case .event(let kind):
                return kind.value(of: environment.result(of: try EventQuery(kind, subject: subject, arguments)))
            case .other:
                if let value = try environment.transform(name, subject: subject, arguments: arguments) { return value }
            }
        } catch {
            throw Fault(reason: .transform(error.message), offset: offset)
        }
        throw Fault(reason: .unknownTransform(name), offset: offset)
    }

    /// The cost of texts that are read character by character. Each byte counts as eight bytes of a comparison.
    private var readBytes: Int { ([subject] + arguments).reduce(0) { $0 + $1.textBytes * 8 } }

    /// Further arguments are ignored, as upstream does.
    private func comparedVersion() throws(TransformFailure) -> Int {
        guard case .string(let version) = subject else {
            throw TransformFailure(message: "versionCompare is for a string, not \(subject.typeName)")
        }
        guard let argument = arguments.first else {
            throw TransformFailure(message: "versionCompare takes the version to compare with")
        }
        guard case .string(let other) = argument else {
            throw TransformFailure(message: "versionCompare compares with a string, not \(argument.typeName)")
        }
        do throws(VersionComparison.Failure) {
            return try VersionComparison.compare(version, other)
        } catch {
            throw TransformFailure(message: error.message)
        }
    }
}

extension JSONValue {
    fileprivate var textBytes: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .array(let values): values.reduce(values.count) { $0 + $1.textBytes }
        case .object(let members): members.reduce(0) { $0 + $1.key.utf8.count + $1.value.textBytes }
        default: 0
        }
    }
}
