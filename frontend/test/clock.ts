/** The fixed date of tests about dates; noon is far from midnight in every time zone. */
const NOON = '2026-11-21T12:00:00.000Z';
const DAY_MS = 86_400_000;

/** Fixes the date for the whole file; timers keep running. Call it before anything reads the clock. */
export function freezeClock(): void {
  jest.useFakeTimers({
    now: new Date(NOON),
    doNotFake: [
      ...([
        'hrtime',
        'nextTick',
        'performance',
        'queueMicrotask',
        'requestAnimationFrame',
        'cancelAnimationFrame',
      ] as const),
      ...(['requestIdleCallback', 'cancelIdleCallback', 'setImmediate', 'clearImmediate'] as const),
      ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
    ],
  });
}

/** ISO timestamp that many days of 24 hours from now; negative for the past. */
export function daysFromNow(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}
