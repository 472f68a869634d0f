internal import Glibc

extension StandardError {
    /// From now on writing to a pipe that is full fails instead of waiting. Others that have the same pipe are not
    /// concerned: it is opened anew for this process.
    static func neverWait() {
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
        let own = open("/proc/self/fd/\(STDERR_FILENO)", O_WRONLY | O_NONBLOCK)
        guard own >= 0 else { return }
        dup2(own, STDERR_FILENO)
        close(own)
    }
}
