#if canImport(UIKit) && !os(watchOS)
    internal import UIKit

    extension BellwetherClient {
        /// Sends what waits within a background task, so that the system does not stop the app before. Apps call it
        /// when they go to the background; `BellwetherUI` does so by itself.
        public nonisolated func flushInBackground() async {
            let task = await BackgroundTask()
            await flush()
            await task.end()
        }
    }

    /// A task that the system lets finish after the app has gone to the background.
    @MainActor
    private final class BackgroundTask {
        private var id = UIBackgroundTaskIdentifier.invalid

        init() {
            id = UIApplication.shared.beginBackgroundTask(withName: "bellwether") { [weak self] in self?.end() }
        }

        func end() {
            UIApplication.shared.endBackgroundTask(id)
            id = .invalid
        }
    }
#endif
