import { MINUTE, SECOND, SystemClock } from '../../clock/clock.js';
import { FairSchedulerService } from './fair-scheduler.service.js';

/** A clock that only moves when told to. */
class StandingClock extends SystemClock {
  at = 1_000_000_000_000;
  override now(): Date {
    return new Date(this.at);
  }
}

describe('FairScheduler', () => {
  let clock: StandingClock;
  let turns: FairSchedulerService;
  beforeEach(() => {
    clock = new StandingClock();
    turns = new FairSchedulerService(clock);
  });

  it.each([
    [0, 0],
    [29.9, 0],
    [30, 1],
    [59.9, 1],
    [60, 2],
    [480, 5],
  ])('after %d s of work penalises the owner by %d places', (seconds, place) => {
    turns.recordUsage(1, seconds * SECOND);
    expect([turns.penaltyOf(1), turns.penaltyOf(2)]).toEqual([place, 0]);
  });

  it('accumulates usage and halves it every ten minutes', () => {
    turns.recordUsage(1, 40 * SECOND);
    clock.at += 10 * MINUTE;
    expect(turns.usageOf(1)).toBeCloseTo(20 * SECOND);
    turns.recordUsage(1, 40 * SECOND);
    expect([turns.usageOf(1), turns.penaltyOf(1)]).toEqual([60 * SECOND, 2]);
    clock.at += 20 * MINUTE;
    expect([turns.usageOf(1), turns.penaltyOf(1)]).toEqual([15 * SECOND, 0]);
  });

  it('forgets owners with negligible usage', () => {
    turns.recordUsage(1, SECOND);
    clock.at += 60 * MINUTE;
    turns.recordUsage(2, SECOND);
    expect([turns.usageOf(1), turns.usageOf(2)]).toEqual([0, SECOND]);
  });

  it('counts the time of failed work, too', async () => {
    const times = jest.spyOn(performance, 'now');
    for (const time of [1000, 1500, 2000, 2700]) times.mockReturnValueOnce(time);
    await expect(turns.measure(1, () => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged');
    expect(await turns.measure(2, () => Promise.resolve('drawn'))).toBe('drawn');
    times.mockRestore();
    expect([turns.usageOf(1), turns.usageOf(2)]).toEqual([500, 700]);
  });
});
