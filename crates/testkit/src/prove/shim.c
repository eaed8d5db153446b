/* A disk that fails when it is told to: loaded before the C library (LD_PRELOAD), it stands between a program and
 * write, pwrite, writev, fsync, fdatasync and ftruncate, for files with certain names only. And a clock that is wrong
 * when it is told to be: the time of day is moved, that which only goes forward is not.
 *
 * Orders come through a file that both sides map (CROUPIER_FAULT), so that they can be given while the program runs. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { NONE, IO_ERROR, NO_SPACE, SHORT, LIE };
enum { WRITES = 1, SYNCS = 2, CUTS = 4 };

struct orders {
    int32_t kind;   /* what happens */
    int32_t calls;  /* to which calls, as a sum */
    int32_t at;     /* to the n-th of them, from 1 */
    int32_t sticky; /* and to all that come after it */
    int32_t seen;   /* how many have come */
    int32_t hits;   /* how often it happened */
    char names[96]; /* the ends of file names, separated by | */
    int64_t seconds; /* by how much the time of day is moved */
};

static struct orders *orders;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("CROUPIER_FAULT");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0) return;
    void *mapped = mmap(NULL, sizeof *orders, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (mapped != MAP_FAILED) orders = mapped;
}

static int is_named(int fd) {
    char link[40], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    const char *name = orders->names;
    while (*name) {
        const char *end = strchr(name, '|');
        size_t size = end ? (size_t)(end - name) : strlen(name);
        if (size && (size_t)length >= size && memcmp(path + length - size, name, size) == 0) return 1;
        if (!end) break;
        name = end + 1;
    }
    return 0;
}

/* What is to happen to this call. */
static int fate(int fd, int call) {
    if (!orders || !orders->kind || !(orders->calls & call)) return NONE;
    int before = errno;
    int named = is_named(fd);
    errno = before;
    if (!named) return NONE;
    int number = __sync_add_and_fetch(&orders->seen, 1);
    if (number < orders->at || (number > orders->at && !orders->sticky)) return NONE;
    __sync_add_and_fetch(&orders->hits, 1);
    return orders->kind;
}

static int fails(int fate) {
    if (fate == IO_ERROR) errno = EIO;
    else if (fate == NO_SPACE) errno = ENOSPC;
    else return 0;
    return 1;
}

#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *bytes, size_t count) {
    REAL(write);
    int to = fate(fd, WRITES);
    if (fails(to)) return -1;
    if (to == LIE) return (ssize_t)count;
    return real(fd, bytes, to == SHORT && count > 1 ? count / 2 : count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
    REAL(pwrite);
    int to = fate(fd, WRITES);
    if (fails(to)) return -1;
    if (to == LIE) return (ssize_t)count;
    return real(fd, bytes, to == SHORT && count > 1 ? count / 2 : count, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
    REAL(pwrite64);
    int to = fate(fd, WRITES);
    if (fails(to)) return -1;
    if (to == LIE) return (ssize_t)count;
    return real(fd, bytes, to == SHORT && count > 1 ? count / 2 : count, at);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    REAL(writev);
    int to = fate(fd, WRITES);
    if (fails(to)) return -1;
    if (to == LIE) {
        ssize_t all = 0;
        for (int part = 0; part < count; part++) all += (ssize_t)parts[part].iov_len;
        return all;
    }
    return real(fd, parts, to == SHORT && count > 1 ? 1 : count);
}

int fsync(int fd) {
    REAL(fsync);
    int to = fate(fd, SYNCS);
    return fails(to) ? -1 : to == LIE ? 0 : real(fd);
}

int fdatasync(int fd) {
    REAL(fdatasync);
    int to = fate(fd, SYNCS);
    return fails(to) ? -1 : to == LIE ? 0 : real(fd);
}

int ftruncate(int fd, off_t size) {
    REAL(ftruncate);
    int to = fate(fd, CUTS);
    return fails(to) ? -1 : to == LIE ? 0 : real(fd, size);
}

int ftruncate64(int fd, off64_t size) {
    REAL(ftruncate64);
    int to = fate(fd, CUTS);
    return fails(to) ? -1 : to == LIE ? 0 : real(fd, size);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static __typeof__(&clock_gettime) real;
    if (!real) real = (__typeof__(&clock_gettime))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, now);
    if (result == 0 && orders && clock == CLOCK_REALTIME) now->tv_sec += orders->seconds;
    return result;
}
