#if canImport(SwiftUI)
    public import BellwetherClient
    public import SwiftUI

    extension EnvironmentValues {
        /// The client of the views below.
        @Entry var bellwetherClient: BellwetherClient?
        /// The number of times that the client was refreshed, which makes views look again.
        @Entry var bellwetherRefreshes = 0
    }

    extension View {
        /// Sets the client of the views below. It counts starts and foregrounds, refreshes at both, and sends what
        /// waits when the app goes to the background.
        public func bellwetherClient(_ client: BellwetherClient) -> some View {
            modifier(ClientModifier(client: client))
        }
    }

    private struct ClientModifier: ViewModifier {
        let client: BellwetherClient
        @Environment(\.scenePhase) private var phase
        @State private var hasLaunched = false
        @State private var refreshes = 0

        func body(content: Content) -> some View {
            content
                .environment(\.bellwetherClient, client)
                .environment(\.bellwetherRefreshes, refreshes)
                .task {
                    guard !hasLaunched else { return }
                    hasLaunched = true
                    await client.launched()
                    refreshes += 1
                    await client.refresh()
                    refreshes += 1
                }
                .onChange(of: phase) { before, now in
                    if now == .background { Task { await leave() } }
                    if now == .active, before != .active { Task { await enter() } }
                }
        }

        private func enter() async {
            await client.foregrounded()
            await client.refresh()
            refreshes += 1
        }

        private func leave() async {
            #if canImport(UIKit) && !os(watchOS)
                await client.flushInBackground()
            #else
                await client.flush()
            #endif
        }
    }
#endif
