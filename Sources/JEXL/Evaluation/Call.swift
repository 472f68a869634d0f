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
        do throws(TransformFailure) {
            switch environment.registersTransforms ? transform : .other {
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
                return .finite(environment.result(of: try EventQuery(kind, subject: subject, arguments)))
            case .other:
                if let value = try environment.transform(name, subject: subject, arguments: arguments) { return value }
            }
        } catch {
            throw Fault(reason: .transform(error.message), offset: offset)
        }
        throw Fault(reason: .unknownTransform(name), offset: offset)
    }

    /// More arguments than one are ignored, as upstream ignores them.
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
        return try VersionComparison.compare(version, other)
    }
}
