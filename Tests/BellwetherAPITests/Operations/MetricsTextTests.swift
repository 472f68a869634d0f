import BellwetherService
import Testing

@testable import BellwetherAPI

@Suite struct MetricsTextTests {
    @Test func `Families stand together, with help and type once`() {
        let text = MetricsText.render([
            MetricSample("a_total", .counter, "All a.", labels: ["z": "1", "b": "2"], value: 3),
            MetricSample("a_total", .counter, "All a.", value: 1.5),
            MetricSample("g", .gauge, "A gauge.", value: -7),
        ])
        #expect(
            text == """
                # HELP a_total All a.
                # TYPE a_total counter
                a_total{b="2",z="1"} 3
                a_total 1.5
                # HELP g A gauge.
                # TYPE g gauge
                g -7

                """)
    }

    @Test func `Labels are escaped`() {
        let text = MetricsText.render([MetricSample("a", .gauge, "h", labels: ["l": "\\ \" \n é"], value: 0)])
        #expect(text.hasSuffix("a{l=\"\\\\ \\\" \\n é\"} 0\n"))
    }

    @Test func `Samples of one name stand together, whatever their order`() {
        let text = MetricsText.render([
            MetricSample("a", .gauge, "A.", labels: ["x": "1"], value: 1), MetricSample("b", .gauge, "B.", value: 2),
            MetricSample("a", .gauge, "A.", labels: ["x": "2"], value: 3),
        ])
        #expect(
            text == """
                # HELP a A.
                # TYPE a gauge
                a{x="1"} 1
                a{x="2"} 3
                # HELP b B.
                # TYPE b gauge
                b 2

                """)
    }

    @Test func `A histogram's buckets count all that is below them`() {
        var histogram = Histogram(bounds: [0.5, 2])
        for value in [0.1, 0.5, 0.6, 7] { histogram.observe(value) }
        #expect(
            MetricsText.render([MetricSample("h", "A histogram.", labels: ["x": "1"], histogram)]) == """
                # HELP h A histogram.
                # TYPE h histogram
                h_bucket{x="1",le="0.5"} 2
                h_bucket{x="1",le="2"} 3
                h_bucket{x="1",le="+Inf"} 4
                h_sum{x="1"} 8.2
                h_count{x="1"} 4

                """)
    }

    @Test func `Help has one line`() {
        let text = MetricsText.render([MetricSample("a", .gauge, "Two\nlines \\.", value: 0)])
        #expect(text.hasPrefix("# HELP a Two\\nlines \\\\.\n"))
    }

    @Test(arguments: [(1e300, "1e+300"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"), (0.25, "0.25")])
    func `Numbers are written as Prometheus reads them`(_ number: (Double, String)) {
        #expect(MetricsText.render([MetricSample("a", .gauge, "h", value: number.0)]).hasSuffix("a \(number.1)\n"))
    }
}
