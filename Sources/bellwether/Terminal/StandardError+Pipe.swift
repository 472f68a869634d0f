internal import Glibc

extension StandardError {
    /// Makes a write to a full pipe fail instead of wait. The pipe is opened again for this process, so other processes
    /// with the same pipe are not affected.
    static func neverWait() {
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
        let own = open("/proc/self/fd/\(STDERR_FILENO)", O_WRONLY | O_NONBLOCK)
        guard own >= 0 else { return }
        dup2(own, STDERR_FILENO)
        close(own)
    }
}
