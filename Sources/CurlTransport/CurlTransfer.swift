import CCurl
import Chronology
import IMAP

extension CurlHandles {
    enum End {
        case ended(CURLcode)
        case stopped, timedOut, outOfMemory
    }

    /// Runs the configured transfer; for CONNECT_ONLY only the connection. A stop ends it at once.
    func perform(until deadline: Deadline, wake: Wake) -> End {
        let multi = UnsafeMutableRawPointer(multi)
        guard curl_multi_add_handle(multi, easy) == CURLM_OK else { return .outOfMemory }
        while true {
            if wake.isStopped { return .stopped }
            var running: Int32 = 0
            let code = curl_multi_perform(multi, &running)
            let result = spendwise_multi_result(multi)
            if result >= 0 { return .ended(CURLcode(UInt32(result))) }
            if code != CURLM_OK || running == 0 { return .outOfMemory }
            if deadline.isPast { return .timedOut }
            var stop = curl_waitfd(fd: wake.stopDescriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
            curl_multi_poll(multi, &stop, 1, deadline.milliseconds(atMost: 1000), nil)
        }
    }

    /// Checks certificates with the given authorities alone, or with the system's.
    func trust(_ caFile: String?) -> CURLcode {
        for (option, value) in [
            (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
            (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
        ] {
            let code = spendwise_setopt_long(easy, option, value)
            guard code == CURLE_OK else { return code }
        }
        if let caFile {
            guard !caFile.utf8.contains(0) else { return CURLE_SSL_CACERT_BADFILE }
            // Otherwise OpenSSL would also trust the system's directory of authorities.
            _ = spendwise_setopt_string(easy, CURLOPT_CAPATH, nil)
            return spendwise_setopt_string(easy, CURLOPT_CAINFO, caFile)
        }
        if Self.hasHashedAuthorities {
            // OpenSSL then reads the one authority it needs instead of 140 for every connection (0.8 MB each).
            _ = spendwise_setopt_string(easy, CURLOPT_CAINFO, nil)
            return spendwise_setopt_string(easy, CURLOPT_CAPATH, Self.authorities)
        }
        return CURLE_OK
    }
}
