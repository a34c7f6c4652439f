import DurableFiles
import Foundation
import Testing

@Suite struct FileStampTests {
    @Test func tellsFilesAndTheirStatesApart() throws {
        let path = NSTemporaryDirectory() + "stamp-" + UUID().uuidString
        defer { unlink(path) }
        #expect(FileStamp(of: path) == nil)
        try Data("one".utf8).write(to: URL(filePath: path))
        let first = try #require(FileStamp(of: path))
        #expect(first.size == 3 && FileStamp(of: path) == first)
        // A program can set the time of the modification back, but not that of the change of the inode.
        var times = [timespec(tv_sec: 1_000_000_000, tv_nsec: 5), timespec(tv_sec: 1_000_000_000, tv_nsec: 5)]
        #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
        let second = try #require(FileStamp(of: path))
        #expect(second != first && second.modifiedAt == 1_000_000_000_000_000_005)
        #expect(second.changedAt >= first.changedAt && second.inode == first.inode)
        try Data("two".utf8).write(to: URL(filePath: path + ".next"))
        #expect(rename(path + ".next", path) == 0)
        #expect(FileStamp(of: path)?.inode != first.inode)
    }

    @Test(arguments: [(0, 0, true), (1, 0, false), (0, 1, false)])
    func settlesAfterTwoSeconds(modified: Int64, changed: Int64, isSettled: Bool) {
        let edge: Int64 = 100_000_000_000 - 1
        let stamp = FileStamp(device: 1, inode: 2, size: 3, modifiedAt: edge + modified, changedAt: edge + changed)
        #expect(stamp.isSettled(at: 102) == isSettled)
    }
}
