#pragma once
#define NCURSES_WIDECHAR 1
#define _XOPEN_SOURCE_EXTENDED 1
#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

// <wchar.h> declares it for X/Open programs only, which Swift's Glibc module is not.
extern int wcwidth(wchar_t character);

// Only Window.swift may call these: the static variable of `nc_terminal` exists once for each Swift file that does.

// `stdscr` is a mutable global, which Swift 6 does not allow to use; the functions without `w` are macros on it.
static inline WINDOW *nc_screen(void) { return stdscr; }
static inline void nc_move(int row, int column) { wmove(stdscr, row, column); }
static inline void nc_put(const char *text) { waddnstr(stdscr, text, -1); }
static inline void nc_clear(void) { werase(stdscr); }
static inline void nc_refresh(void) { wrefresh(stdscr); }
static inline void nc_redraw(void) { clearok(curscr, TRUE); }
static inline int nc_columns(void) { return getmaxx(stdscr); }
static inline int nc_rows(void) { return getmaxy(stdscr); }
static inline int nc_get(wint_t *key) { return wget_wch(stdscr, key); }

// The attributes are macros with casts, which Swift cannot read.
static inline attr_t nc_normal(void) { return A_NORMAL; }
static inline attr_t nc_bold(void) { return A_BOLD; }
static inline attr_t nc_dim(void) { return A_DIM; }
static inline attr_t nc_underline(void) { return A_UNDERLINE; }
static inline attr_t nc_reverse(void) { return A_REVERSE; }
// A macro over a structure's fields.
static inline void nc_style(attr_t attributes, short pair) { wattr_set(stdscr, attributes, pair, NULL); }
// Boolean type of ncurses: `unsigned char`, not Swift's Bool.
static inline int nc_hasColours(void) { return has_colors() ? 1 : 0; }

// <term.h> defines macros for common words such as `lines`.
extern char *tigetstr(const char *name);

// Data to restore the terminal, prepared in advance: a signal handler may neither allocate memory nor call Swift or ncurses.
struct nc_terminal {
    struct termios before;
    volatile sig_atomic_t isOpen;
    char farewell[512];
    size_t length;
    // A byte in it wakes nc_wait: SIGWINCH may be delivered to any thread, but must wake the one that waits.
    int resized[2];
    struct sigaction ncursesResize;
};

// Within a function: Swift does not define a header's static variables.
static inline struct nc_terminal *nc_terminal(void) {
    static struct nc_terminal terminal;
    return &terminal;
}

// Without the padding `$<5>` that tputs(3) would turn into a pause.
static inline void nc_prepare(const char *capability) {
    struct nc_terminal *terminal = nc_terminal();
    const char *text = tigetstr(capability);
    if (text == NULL || text == (const char *)-1) return;
    while (*text != 0 && terminal->length < sizeof terminal->farewell) {
        const char *end = text[0] == '$' && text[1] == '<' ? strchr(text, '>') : NULL;
        if (end != NULL) { text = end + 1; continue; }
        terminal->farewell[terminal->length++] = *text++;
    }
}

static void nc_dieOf(int number) {
    struct nc_terminal *terminal = nc_terminal();
    if (terminal->isOpen) {
        terminal->isOpen = 0;
        tcsetattr(STDIN_FILENO, TCSANOW, &terminal->before);
        ssize_t ignored = write(STDOUT_FILENO, terminal->farewell, terminal->length);
        (void)ignored;
    }
    // SA_RESETHAND has restored the default action, so the exit status shows the signal.
    raise(number);
}

// In C because of the handler, and because `sigaction` is a structure and a function of one name.
static inline void nc_watchSignals(void) {
    static const int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGPIPE};
    // A separate stack, so that the handler runs even if the stack is full.
    static char stack[16384];
    stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternative, NULL);
    for (size_t index = 0; index < sizeof deadly / sizeof *deadly; index++) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = nc_dieOf;
        action.sa_flags = SA_RESETHAND | SA_NODEFER | SA_ONSTACK;
        sigaction(deadly[index], &action, NULL);
    }
}

static void nc_noteResize(int number) {
    struct nc_terminal *terminal = nc_terminal();
    int before = errno;
    // ncurses' own handler, which makes the next wget_wch return KEY_RESIZE.
    if (terminal->ncursesResize.sa_handler != SIG_DFL && terminal->ncursesResize.sa_handler != SIG_IGN) terminal->ncursesResize.sa_handler(number);
    ssize_t ignored = write(terminal->resized[1], "", 1);
    (void)ignored;
    errno = before;
}

// xterm's bracketed paste: marks pasted text, so that it does not act as keys. Terminals without it ignore the mode.
enum { NC_PASTE_BEGINS = 0x1000, NC_PASTE_ENDS };
#define NC_MARK_PASTES "\033[?2004h"
#define NC_LEAVE_PASTES "\033[?2004l"

static inline void nc_tell(const char *sequence) {
    ssize_t ignored = write(STDOUT_FILENO, sequence, strlen(sequence));
    (void)ignored;
}

static inline void nc_markPastes(void) {
    struct nc_terminal *terminal = nc_terminal();
    define_key("\033[200~", NC_PASTE_BEGINS);
    define_key("\033[201~", NC_PASTE_ENDS);
    memcpy(terminal->farewell, NC_LEAVE_PASTES, strlen(NC_LEAVE_PASTES));
    terminal->length = strlen(NC_LEAVE_PASTES);
    nc_tell(NC_MARK_PASTES);
}

// Opens the screen: 0, or -1 if the terminal does not support it. `initscr` would end the process then.
static inline int nc_open(void) {
    struct nc_terminal *terminal = nc_terminal();
    tcgetattr(STDIN_FILENO, &terminal->before);
    if (newterm(NULL, stdout, stdin) == NULL) return -1;
    nc_markPastes();
    nc_prepare("rmkx");
    nc_prepare("sgr0");
    nc_prepare("cnorm");
    nc_prepare("rmcup");
    terminal->isOpen = 1;
    nc_watchSignals();
    terminal->resized[0] = terminal->resized[1] = -1;
    if (pipe(terminal->resized) == 0) {
        for (int index = 0; index < 2; index++) {
            fcntl(terminal->resized[index], F_SETFD, FD_CLOEXEC);
            fcntl(terminal->resized[index], F_SETFL, O_NONBLOCK);
        }
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = nc_noteResize;
        action.sa_flags = SA_RESTART | SA_ONSTACK;
        sigaction(SIGWINCH, &action, &terminal->ncursesResize);
    }
    return 0;
}

static inline void nc_close(void) {
    struct nc_terminal *terminal = nc_terminal();
    nc_tell(NC_LEAVE_PASTES);
    endwin();
    terminal->isOpen = 0;
    if (terminal->resized[0] < 0) return;
    sigaction(SIGWINCH, &terminal->ncursesResize, NULL);
    close(terminal->resized[0]);
    close(terminal->resized[1]);
    terminal->resized[0] = terminal->resized[1] = -1;
}

// Waits for input (returns 1), a resize (2) or the timeout in milliseconds (0); -1 if a signal interrupts it.
static inline int nc_wait(int timeout) {
    struct nc_terminal *terminal = nc_terminal();
    struct pollfd watched[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = terminal->resized[0], .events = POLLIN}};
    int found = poll(watched, 2, timeout);
    if (found <= 0) return found;
    if (watched[1].revents != 0) {
        char bytes[64];
        while (read(terminal->resized[0], bytes, sizeof bytes) > 0) {}
        return 2;
    }
    return 1;
}

// True if the other side of the terminal has closed. In C because Swift imports the bit masks with other types.
static inline int nc_isGone(void) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&input, 1, 0) == 1 && (input.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}
