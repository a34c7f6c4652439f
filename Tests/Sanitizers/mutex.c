// Tells ThreadSanitizer what the slow path of Swift's Mutex does. The compiler puts the fast path into the program,
// instrumented; a contended lock is taken and handed over in the standard library, which is not. Loaded with LD_PRELOAD
// (scripts/sanitize).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// tsan_interface.h
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

#define METHOD __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

// Synchronization._MutexHandle._lockSlow(UInt32)
METHOD void lockSlow(uint32_t thread, SELF self) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
METHOD void lockSlow(uint32_t thread, SELF self) {
    METHOD void (*real)(uint32_t, SELF) = next("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    real(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

// Synchronization._MutexHandle._tryLockSlow() -> Bool
METHOD bool tryLockSlow(SELF self) __asm__("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
METHOD bool tryLockSlow(SELF self) {
    METHOD bool (*real)(SELF) = next("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
    bool isLocked = real(self);
    if (isLocked && __tsan_acquire) __tsan_acquire(self);
    return isLocked;
}

// Synchronization._MutexHandle._unlockSlow()
METHOD void unlockSlow(SELF self) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
METHOD void unlockSlow(SELF self) {
    METHOD void (*real)(SELF) = next("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
    if (__tsan_release) __tsan_release(self);
    real(self);
}
