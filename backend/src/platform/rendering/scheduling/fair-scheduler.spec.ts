import { MINUTE, SECOND, SystemClock } from '../../clock/clock.js';
import { FairSchedulerService } from './fair-scheduler.service.js';

/** A clock that only moves when told to. */
class FixedClock extends SystemClock {
  at = 1_000_000_000_000;
  override now(): Date {
    return new Date(this.at);
  }
}

describe('FairScheduler', () => {
  let clock: FixedClock;
  let scheduler: FairSchedulerService;
  beforeEach(() => {
    clock = new FixedClock();
    scheduler = new FairSchedulerService(clock);
  });

  it.each([
    [0, 0],
    [29.9, 0],
    [30, 1],
    [59.9, 1],
    [60, 2],
    [480, 5],
  ])('after %d s of work penalises the owner by %d places', (seconds, place) => {
    scheduler.recordUsage(1, seconds * SECOND);
    expect([scheduler.penaltyOf(1), scheduler.penaltyOf(2)]).toEqual([place, 0]);
  });

  it('accumulates usage and halves it every ten minutes', () => {
    scheduler.recordUsage(1, 40 * SECOND);
    clock.at += 10 * MINUTE;
    expect(scheduler.usageOf(1)).toBeCloseTo(20 * SECOND);
    scheduler.recordUsage(1, 40 * SECOND);
    expect([scheduler.usageOf(1), scheduler.penaltyOf(1)]).toEqual([60 * SECOND, 2]);
    clock.at += 20 * MINUTE;
    expect([scheduler.usageOf(1), scheduler.penaltyOf(1)]).toEqual([15 * SECOND, 0]);
  });

  it('forgets owners with negligible usage', () => {
    scheduler.recordUsage(1, SECOND);
    clock.at += 60 * MINUTE;
    scheduler.recordUsage(2, SECOND);
    expect([scheduler.usageOf(1), scheduler.usageOf(2)]).toEqual([0, SECOND]);
  });

  it('counts the time of failed work, too', async () => {
    const times = jest.spyOn(performance, 'now');
    for (const time of [1000, 1500, 2000, 2700]) times.mockReturnValueOnce(time);
    await expect(scheduler.measure(1, () => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged');
    expect(await scheduler.measure(2, () => Promise.resolve('drawn'))).toBe('drawn');
    times.mockRestore();
    expect([scheduler.usageOf(1), scheduler.usageOf(2)]).toEqual([500, 700]);
  });
});
