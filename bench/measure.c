/* measure FILE COMMAND...: runs a command and writes one line to FILE: wall seconds, CPU seconds, peak memory in KiB,
 * exit status.
 *
 * The peak of a process counts from the memory of the process that started it (getrusage(2)), so that one is small.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

int main(int count, char **words) {
    struct timespec begin, end;
    struct rusage usage;
    int status = 0;
    FILE *file;
    if (count < 3) {
        fputs("usage: measure FILE COMMAND...\n", stderr);
        return 2;
    }
    clock_gettime(CLOCK_MONOTONIC, &begin);
    pid_t process = fork();
    if (process == 0) {
        execvp(words[2], words + 2);
        perror(words[2]);
        _exit(127);
    }
    if (process < 0 || wait4(process, &status, 0, &usage) != process) return 1;
    clock_gettime(CLOCK_MONOTONIC, &end);
    file = fopen(words[1], "w");
    if (file == NULL) return 1;
    fprintf(file, "%.6f %.6f %ld %d\n", (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9,
            seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss,
            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return fclose(file) == 0 ? 0 : 1;
}
