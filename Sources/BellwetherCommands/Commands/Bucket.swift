package import ArgumentParser
internal import BellwetherAuthoring
internal import BellwetherCore
internal import BellwetherJSON

/// `bellwether bucket --batch`: the buckets and branches of ids (docs/reference/http-api.md#the-command-bucket;
/// docs/reference/experiments.md#bucketing).
package struct Bucket: ParsableCommand {
    package static let configuration = CommandConfiguration(
        abstract: "Say which bucket or branch an id falls into.",
        discussion: """
            With --batch, standard input holds one object a line: {"id", "namespace", "start", "count", "total"} is \
            answered {"hash48", "in"}; {"id", "slug", "ratios"} is answered {"hash48", "index"}; {"murmur", "weights"} \
            is answered {"bucket", "index"}.
            """)

    @Flag(help: "Answer NDJSON from standard input.")
    var batch = false

    package init() {}

    package func validate() throws {
        if !batch { throw ValidationError("Give --batch, and questions on standard input.") }
    }

    package func run() throws {
        try StandardOutput.answerLines { line in
            do throws(JSONError) {
                return BucketRequest.response(to: try JSONValue(parsing: line))
            } catch {
                return ["error": ["kind": "input", "message": .string(error.message)]]
            }
        }
    }
}
