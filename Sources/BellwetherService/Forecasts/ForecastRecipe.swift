public import BellwetherAuthoring
public import BellwetherBase
public import BellwetherCore
internal import Synchronization

/// Forecasts the effect of a recipe before it is live (docs/reference/http-api.md#forecasts): compiles the app with the
/// recipe, and tries the recipe on the sample. Nothing is stored. It runs outside the event loops, one request after
/// another.
public final class ForecastRecipe: Sendable {
    public struct Request: Sendable {
        public let app: AppSnapshot
        public let recipe: Recipe
        public let now: Timestamp
        public let minimumCell: Int

        public init(app: AppSnapshot, recipe: Recipe, now: Timestamp, minimumCell: Int) {
            self.app = app
            self.recipe = recipe
            self.now = now
            self.minimumCell = minimumCell
        }
    }

    public struct Response: Sendable {
        public let forecast: Forecast
        /// The time of the oldest context in the sample; nil if the sample is empty.
        public let since: Timestamp?
    }

    public enum Refusal: Error, Sendable, Hashable {
        /// Too many requests wait.
        case overloaded
        /// The app's recipes and this one would patch these messages in too many ways to serve them.
        case tooManyVariants([String])
    }

    /// The maximum number of waiting requests. Each may take seconds.
    static let maximumWaiting = 32

    public let samples: ContextSamples
    private let queue: BackgroundQueue
    private let waiting = Mutex(0)

    public init(samples: ContextSamples = ContextSamples(), queue: BackgroundQueue = BackgroundQueue()) {
        self.samples = samples
        self.queue = queue
    }

    public func forecast(
        _ request: Request, _ completion: @escaping @Sendable (Result<Response, Refusal>) -> Void
    ) {
        let isAdmitted = waiting.withLock { waiting in
            guard waiting < Self.maximumWaiting else { return false }
            waiting += 1
            return true
        }
        guard isAdmitted else { return completion(.failure(.overloaded)) }
        queue.async { [self] in
            completion(response(request))
            waiting.withLock { $0 -= 1 }
        }
    }

    private func response(_ request: Request) -> Result<Response, Refusal> {
        let compiledApp = request.app.compiled(supposing: [request.recipe])
        let oversized = Set(compiledApp.catalog.oversized).subtracting(request.app.catalog.oversized)
        guard oversized.isEmpty else { return .failure(.tooManyVariants(oversized.sorted())) }
        let (contexts, since) = samples.sample(of: request.app.name, at: request.now)
        let making = ForecastMaking(
            request.recipe, in: compiledApp, now: request.now, minimumCell: request.minimumCell)
        return .success(Response(forecast: making.forecast(over: contexts), since: since))
    }
}
