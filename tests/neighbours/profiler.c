/* A profiler like those that sample by signals: a timer interrupts whichever thread runs, a thousand times a second of
 * processor time, and the handler notes where. Loaded with -agentpath; says at the end how many samples it took. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

#define KEPT 4096

static atomic_ulong samples;
static void *volatile kept[KEPT];

static void sample(int signal, siginfo_t *info, void *context) {
    (void) signal;
    (void) info;
    ucontext_t *interrupted = context;
    unsigned long number = atomic_fetch_add(&samples, 1);
    kept[number % KEPT] = (void *) interrupted->uc_mcontext.gregs[REG_RIP];
}

int Agent_OnLoad(void *vm, char *options, void *reserved) {
    (void) vm;
    (void) options;
    (void) reserved;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = sample;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    if (sigaction(SIGPROF, &action, NULL) != 0) {
        return 1;
    }
    struct itimerval millisecond = {{0, 1000}, {0, 1000}};
    return setitimer(ITIMER_PROF, &millisecond, NULL);
}

void Agent_OnUnload(void *vm) {
    (void) vm;
    struct itimerval never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_PROF, &never, NULL);
    fprintf(stderr, "profiler: %lu samples\n", atomic_load(&samples));
}
