import Testing

@testable import BellwetherAuthoring

/// Values of distributions, compared with those of SciPy 1.17.
@Suite struct DistributionTests {
    @Test(arguments: [
        (0.5, 0.0), (0.975, 1.959963984540054), (0.025, -1.959963984540054), (0.9, 1.2815515655446004),
        (1e-10, -6.361340902404056), (0.999, 3.090232306167813),
    ]) func `A quantile of the normal distribution has ten digits`(_ probability: Double, _ value: Double) {
        #expect((NormalDistribution.quantile(probability) - value).magnitude < 1e-10)
    }

    @Test(arguments: [
        (3.841458820694124, 1, 0.05), (5.991464547107979, 2, 0.05), (0.5, 1, 0.47950012218695337),
        (100.0, 60, 0.0009168288614560842), (30.0, 40, 0.8752187849674751), (10.827566170662733, 1, 0.001),
    ]) func `The chi-squared distribution below and above its middle`(_ x: Double, _ freedom: Int, _ p: Double) {
        #expect((ChiSquaredDistribution.above(x, freedom: freedom) - p).magnitude < 1e-12)
    }

    @Test func `The bound of a plan solves its equation`() {
        #expect((CriticalValue.bound(0.05) - 2.383921376960247).magnitude < 1e-12)
    }
}
