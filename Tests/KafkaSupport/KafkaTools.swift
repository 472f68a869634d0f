internal import Foundation
internal import TestSupport

/// The programs that the tests of Kafka need besides librdkafka1.
public enum KafkaTools {
    static let installation = "run: apt-get update && apt-get install -y librdkafka-dev kcat"

    /// The folder with the program mock-kafka, compiled once for the process.
    static let mock = Result<TemporaryDirectory, any Error> {
        let folder = try TemporaryDirectory()
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/mock-kafka.c"
        let compiler = try Command.run(
            ["cc", "-O1", "-Wall", "-Werror", "-o", folder.path + "/mock-kafka", source, "-lrdkafka"], seconds: 300)
        guard compiler.status == 0 else {
            throw Failure("mock-kafka.c cannot be compiled (\(installation)): \(compiler.errors)")
        }
        return folder
    }

    /// A record as kcat read it.
    public struct Record: Sendable {
        public let partition: Int
        public let key: String
        /// `NAME=VALUE`, separated by commas.
        public let headers: String
        public let value: String
    }

    /// All records of a topic, those of each partition in order. Keys, headers and values must be lines without tabs.
    public static func records(of topic: String, brokers: String) throws -> [Record] {
        let kcat: Command
        do {
            kcat = try Command.run(
                [
                    "kcat", "-C", "-q", "-e", "-b", brokers, "-t", topic, "-o", "beginning",
                    "-f", "%p\t%k\t%h\t%s\n",
                ], seconds: 300)
        } catch { throw Failure("kcat cannot be run (\(installation)): \(error)") }
        guard kcat.status == 0 else { throw Failure("kcat (\(installation)): \(kcat.errors)") }
        return try kcat.lines.map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 4, let partition = Int(fields[0]) else { throw Failure("a line of kcat: \(line)") }
            return Record(partition: partition, key: fields[1], headers: fields[2], value: fields[3])
        }
    }
}
