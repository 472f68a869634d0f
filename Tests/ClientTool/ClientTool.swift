import BellwetherBase
import BellwetherClient
import BellwetherJSON
import Foundation

/// `client-tool ADDRESS APP FOLDER CLIENT COUNT PREFIX` is an app that tracks COUNT events, each with its
/// number, and sends them meanwhile. It prints each number when the client has taken the event, and at the end `sent`
/// or why not. Tests kill it, run two of it over one folder, and limit the size of its files.
@main
struct ClientTool {
    static func main() async throws {
        signal(SIGXFSZ, SIG_IGN)
        let words = CommandLine.arguments
        guard words.count == 7, let address = URL(string: words[1]), let count = Int(words[5]) else {
            FileHandle.standardError.write(Data("client-tool: six words are expected\n".utf8))
            exit(64)
        }
        var configuration = ClientConfiguration()
        configuration.clientID = words[4]
        configuration.flushSeconds = nil
        // A daemon on a busy machine may need minutes for a response.
        let client = BellwetherClient(
            configuration, transport: URLSessionTransport(address: address, app: words[2], patience: 300),
            storage: try FileStorage(folder: URL(fileURLWithPath: words[3])),
            clock: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) })
        let sending = Task {
            while !Task.isCancelled {
                await client.flush()
                await Task.yield()
            }
        }
        for number in 0..<count {
            await client.track("\(words[6])-\(number)")
            print(number)
            fflush(nil)
        }
        sending.cancel()
        await sending.value
        await client.flush()
        let status = await client.status
        guard status.refused == 0 else { return print("refused \(status.lastRefusal ?? "")") }
        print(status.waiting == 0 ? "sent" : "waiting \(status.waiting)")
    }
}
