import { IDLE_LIMIT, ReadingTimer } from './reading-timer';

let now: number;
/** A timer whose window is visible. */
function startTimer(): ReadingTimer {
  now = 5000;
  const timer = new ReadingTimer(1, () => now);
  timer.resume();
  return timer;
}

describe('ReadingTimer', () => {
  it('measures each page, in the order in which they were read last', () => {
    const timer = startTimer();
    for (const [page, ms] of [
      [2, 1000],
      [1, 2000],
      [2, 4000],
    ] as const) {
      now += ms;
      timer.setPage(page);
    }
    expect(timer.takeTimes()).toEqual([
      { page: 2, ms: 2000 },
      { page: 1, ms: 5000 },
    ]);
    expect(timer.takeTimes()).toEqual([]);
  });

  it('measures no time while the window is hidden', () => {
    const timer = startTimer();
    now += 1000;
    timer.pause();
    now += 1000;
    timer.noteActivity();
    timer.setPage(3);
    now += 1000;
    timer.resume();
    timer.resume();
    now += 500;
    expect(timer.takeTimes()).toEqual([
      { page: 1, ms: 1000 },
      { page: 3, ms: 500 },
    ]);
  });

  it('measures no time after half a minute without input', () => {
    const timer = startTimer();
    now += 10_000;
    timer.noteActivity();
    now += IDLE_LIMIT + 60_000;
    timer.noteActivity();
    now += 1000;
    expect(timer.takeTimes()).toEqual([{ page: 1, ms: 10_000 + IDLE_LIMIT + 1000 }]);
  });

  it('adds times that could not be sent to later ones', () => {
    const timer = startTimer();
    now += 1000;
    timer.setPage(2);
    now += 1000;
    const lost = timer.takeTimes();
    timer.setPage(1);
    now += 500;
    timer.restoreTimes(lost);
    expect(timer.takeTimes()).toEqual([
      { page: 2, ms: 1000 },
      { page: 1, ms: 1500 },
    ]);
  });
});
