public import BellwetherAuthoring
public import BellwetherBase
public import BellwetherCore
internal import BellwetherJSON

/// Forecasts the effect of a recipe before it is live (docs/reference/http-api.md#forecasts): compiles the app with the
/// recipe, and tries the recipe on the sample. Nothing is stored.
public struct ForecastRecipe: Sendable {
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
        /// How many clients are in a segment; nil for another recipe.
        public let segment: SegmentForecast?
        public let sample: ClientSample
    }

    public enum Refusal: Error, Sendable, Hashable {
        /// The app's recipes and this one would patch these messages in too many ways to serve them.
        case tooManyVariants([String])
    }

    public let samples: ClientSamples

    public init(samples: ClientSamples = ClientSamples()) { self.samples = samples }

    /// Takes up to seconds, so it is not called on an event loop.
    public func forecast(_ request: Request) -> Result<Response, Refusal> {
        let sample = samples.sample(of: request.app.name, at: request.now)
        return forecasts(request, for: [sample.clients]).map { forecasts in
            let segment = request.recipe.segment.flatMap { segment in
                SegmentForecast(
                    segment, in: request.app.compiledApp, over: sample.clients.map { $0.subject(withCounters: true) },
                    now: request.now, minimum: request.minimumCell)
            }
            return Response(forecast: forecasts[0], segment: segment, sample: sample)
        }
    }

    /// One forecast for each group of clients.
    func forecasts(_ request: Request, for groups: [[SampledClient]]) -> Result<[Forecast], Refusal> {
        let compiledApp = request.app.compiled(supposing: [request.recipe])
        let oversized = Set(compiledApp.catalog.oversized).subtracting(request.app.catalog.oversized)
        guard oversized.isEmpty else { return .failure(.tooManyVariants(oversized.sorted().map(\.text))) }
        let making = ForecastMaking(
            request.recipe, in: compiledApp, now: request.now, minimumCell: request.minimumCell,
            hasEnded: request.app.recipes[request.recipe.slug]?.stored.state == .ended)
        let readsEvents = making.readsEvents
        return .success(groups.map { making.forecast(over: $0.map { $0.subject(withCounters: readsEvents) }) })
    }
}
