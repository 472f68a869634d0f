import BellwetherService
import Testing

@Suite struct HistogramTests {
    @Test func `An observation belongs to the first bound that is not below it`() {
        var histogram = Histogram(bounds: [1, 2.5, 10])
        for value in [0, 1, 1.01, 2.5, 9, 10, 10.5, .infinity] { histogram.observe(value) }
        #expect(histogram.counts == [2, 2, 2, 2])
        #expect(histogram.count == 8)
        #expect(histogram.sum == .infinity)
    }

    @Test func `Without bounds all is the rest`() {
        var histogram = Histogram(bounds: [])
        histogram.observe(-3)
        histogram.observe(5)
        #expect(histogram.counts == [2] && histogram.sum == 2)
    }

    @Test func `Counts from elsewhere are taken as they are`() {
        let histogram = Histogram(bounds: [1], counts: [3, 4], sum: 9.5)
        #expect(histogram.count == 7 && histogram.sum == 9.5)
    }
}
