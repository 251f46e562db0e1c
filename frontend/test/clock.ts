/** The day on which tests that speak of days take place; its noon is far from both midnights, wherever the tests run. */
const NOON = '2026-11-21T12:00:00.000Z';
const DAY_MS = 86_400_000;

/** Lets it be that noon for the whole file: only the date stands still, timers run on. Call it before anything asks the time. */
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

/** The instant so many days of 24 hours from now, or ago if negative. */
export function daysFromNow(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}
