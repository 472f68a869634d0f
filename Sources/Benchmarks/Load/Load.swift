import Synchronization

/// The requests of a row. Each run has a writer of its own, so that ids are new.
struct Load {
    /// Appends the request with a number.
    typealias Writer = (_ number: Int, _ request: inout [UInt8]) -> Void
    let writer: () -> Writer

    /// The same requests again and again.
    static func replay(_ requests: [[UInt8]]) -> Load {
        Load { { number, request in request += requests[number % requests.count] } }
    }

    static func replay(_ paths: [String]) -> Load { replay(paths.map { HTTPText.get($0) }) }

    /// The same, but each run goes on where the one before it ended. So it sends only what was not sent recently.
    static func replayAnew(_ paths: [String]) -> Load {
        let requests = paths.map { HTTPText.get($0) }
        var next = 0
        return Load {
            { _, request in
                request += requests[next]
                next = (next + 1) % requests.count
            }
        }
    }

    /// Each request is a GET from a new client, whose id replaces CLIENT in the path.
    static func strangers(_ path: String) -> Load {
        let parts = path.split(separator: "CLIENT", omittingEmptySubsequences: false).map(String.init)
        return Load {
            let tag = LoadTag.next("stranger")
            return { number, request in request += HTTPText.get(parts.joined(separator: "\(tag)\(number)")) }
        }
    }

    /// POSTs whose bodies are made with a number and with a tag that differs from run to run.
    static func posts(_ path: String, body: @escaping (_ number: Int, _ tag: String) -> String) -> Load {
        Load {
            let tag = LoadTag.next("post")
            return { number, request in
                request += HTTPText.request("POST", path, body: Array(body(number, tag).utf8))
            }
        }
    }

    /// POSTs of behaviour events, each with its own id, for each client in turn.
    static func events(_ count: Int, clients: Int) -> Load {
        posts("/v1/apps/\(SampleApp.name)/events") { number, tag in
            let events = (0..<count).map {
                #"{"type":"behavior","name":"app_cycle.foreground","id":"\#(tag)\#(number)-\#($0)"}"#
            }
            return #"{"client_id":"client-\#(number % clients)","events":[\#(events.joined(separator: ","))]}"#
        }
    }
}

/// Prefixes of ids that differ from one load to the next.
enum LoadTag {
    private static let count = Atomic<Int>(0)

    static func next(_ kind: String) -> String {
        "\(kind)-\(count.add(1, ordering: .relaxed).newValue)-"
    }
}
