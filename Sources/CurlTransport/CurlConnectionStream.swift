import CCurl
public import Chronology
import Glibc
public import IMAP

extension CurlConnection: ByteStream {
    /// Reads from libcurl before it polls: TLS may hold decrypted bytes that the socket does not show.
    ///
    /// A suspend of the machine ends the wait with `.timedOut`, because the server may have closed the connection
    /// meanwhile.
    public mutating func read(
        into buffer: UnsafeMutableRawBufferPointer, deadline: Deadline, wakeable: Bool
    ) throws(IMAPError) -> ReadOutcome {
        let suspended = wakeable ? self.suspended() : .zero
        while true {
            if wake.isStopped { throw .stopped(peer) }
            var count = 0
            switch curl_easy_recv(handles.easy, buffer.baseAddress, buffer.count, &count) {
            case CURLE_OK: return count > 0 ? .bytes(count) : .closed
            case CURLE_AGAIN: break
            case let code: throw broken(code)
            }
            if wakeable, wake.consume() { return .woken }
            if deadline.isPast || (wakeable && self.suspended() - suspended > Suspension.short) { return .timedOut }
            wait(for: Int16(POLLIN), deadline, wakeable: wakeable)
        }
    }

    public var isNear: Bool { SocketLife.roundTripMicroseconds(socket).map { $0 < Self.nearMicroseconds } ?? false }

    /// Upper bound of the round trip in a local network; a router of a provider takes longer.
    private static let nearMicroseconds: UInt32 = 1000

    public mutating func write(_ bytes: UnsafeRawBufferPointer, deadline: Deadline) throws(IMAPError) {
        var sent = 0
        while sent < bytes.count {
            if wake.isStopped { throw .stopped(peer) }
            let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
            var count = 0
            switch curl_easy_send(handles.easy, rest.baseAddress, rest.count, &count) {
            case CURLE_OK:
                sent += count
                if !readsAhead {
                    spendwise_read_ahead(handles.easy)
                    readsAhead = true
                }
            case CURLE_AGAIN:
                if deadline.isPast {
                    throw IMAPError(
                        .timedOut, retry: .now, what: "\(peer) accepts no more data",
                        remedy: "the connection is reopened automatically")
                }
                wait(for: Int16(POLLOUT), deadline, wakeable: false)
            case let code: throw broken(code)
            }
        }
    }

    private func wait(for events: Int16, _ deadline: Deadline, wakeable: Bool) {
        withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 3) { waiting in
            waiting[0] = pollfd(fd: socket, events: events, revents: 0)
            waiting[1] = pollfd(fd: wake.stopDescriptor, events: Int16(POLLIN), revents: 0)
            waiting[2] = pollfd(fd: wake.wakeDescriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(waiting.baseAddress, wakeable ? 3 : 2, deadline.milliseconds(atMost: pollSlice))
        }
    }

    private func broken(_ code: CURLcode) -> IMAPError {
        var reason = 0
        _ = spendwise_getinfo_long(handles.easy, CURLINFO_OS_ERRNO, &reason)
        // The kernel closed the connection because probes or sent bytes were not acknowledged.
        if [ETIMEDOUT, EHOSTUNREACH, ENETUNREACH].contains(Int32(truncatingIfNeeded: reason)) {
            return IMAPError(
                .timedOut, retry: .now, what: "the connection to \(peer) is dead",
                remedy: "it is reopened automatically")
        }
        return IMAPError(
            .closed, retry: .now,
            what: "the connection to \(peer) broke (\(String(cString: curl_easy_strerror(code))))",
            remedy: "it is reopened automatically")
    }
}
