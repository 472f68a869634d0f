#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The functions of the C library that the estimates use. No other file of the target imports the library.
extension Double {
    var exponential: Double { exp(self) }
    var logarithm: Double { log(self) }
    /// The complementary error function.
    var complementaryError: Double { erfc(self) }

    var logarithmOfGamma: Double {
        var sign: Int32 = 0
        return lgamma_r(self, &sign)
    }
}
