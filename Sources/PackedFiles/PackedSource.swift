internal import CArchive
import Glibc

/// The bytes of a packed file, read by callbacks of libarchive.
final class PackedSource {
    private let descriptor: Int32
    /// Bytes of a pipe that were read before.
    private let beginning: [UInt8]
    private var isAtBeginning = true
    private let buffer: UnsafeMutableRawBufferPointer
    private(set) var position: Int64 = 0
    /// The size of the file; `nil` for a pipe.
    let size: Int64?

    private static let bufferBytes = 64 << 10

    /// - Parameter descriptor: -1 if `beginning` is the whole file.
    init(_ descriptor: Int32, beginning: [UInt8]) {
        self.descriptor = descriptor
        self.beginning = beginning
        buffer = .allocate(byteCount: max(Self.bufferBytes, beginning.count), alignment: 16)
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        size = isFile && lseek(descriptor, 0, SEEK_SET) == 0 ? Int64(status.st_size) : nil
        isAtBeginning = size == nil
    }

    deinit { buffer.deallocate() }

    /// Opens the archive on these bytes, which must live as long as it.
    func open(_ archive: OpaquePointer) -> Int32 {
        archive_read_set_callback_data(archive, Unmanaged.passUnretained(self).toOpaque())
        archive_read_set_read_callback(archive) { _, source, bytes in
            guard let source, let bytes else { return -1 }
            return Unmanaged<PackedSource>.fromOpaque(source).takeUnretainedValue().read(bytes)
        }
        // The list of a zip file's members is at its end.
        if size != nil {
            archive_read_set_seek_callback(archive) { _, source, offset, origin in
                guard let source else { return -1 }
                let descriptor = Unmanaged<PackedSource>.fromOpaque(source).takeUnretainedValue().descriptor
                return Int64(lseek(descriptor, off_t(offset), origin))
            }
        }
        return archive_read_open1(archive)
    }

    private func read(_ bytes: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
        bytes.pointee = UnsafeRawPointer(buffer.baseAddress)
        if isAtBeginning {
            isAtBeginning = false
            buffer.copyBytes(from: beginning)
            position += Int64(beginning.count)
            return beginning.count
        }
        if descriptor < 0 { return 0 }
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, Self.bufferBytes)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&waiting, 1, -1)
                continue
            }
            position += Int64(max(count, 0))
            return count
        }
    }
}
