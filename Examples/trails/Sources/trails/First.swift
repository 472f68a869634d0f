import BellwetherClient
import Foundation

func firstExample(address: URL, folder: URL) async throws {
    let client = try BellwetherClient(address: address, app: "trail-notes", folder: folder)
    await client.track("page_viewed")
    await client.refresh()
    for message in await client.messages(surface: "home").messages {
        print(message.text)
        await client.displayed(message)
    }
    await client.flush()
}
