import { SILENT_AFTER, WorkerPulse } from './worker-pulse.js';

class HandSetPulse extends WorkerPulse {
  at = 0;
  protected override now(): number {
    return this.at ?? 0;
  }
}

describe('the pulse of a worker', () => {
  let pulse: HandSetPulse;
  let beats: number;
  beforeEach(() => {
    pulse = new HandSetPulse();
    beats = 0;
    pulse.onBeat(() => (beats += 1));
    pulse.expect('jobs');
    pulse.expect('mails');
  });

  it('beats once everybody has come back from a look since the last beat', () => {
    pulse.cameBack('jobs', true);
    pulse.cameBack('jobs', true);
    expect(beats).toBe(0);
    pulse.cameBack('mails', true);
    expect(beats).toBe(1);
    pulse.cameBack('mails', true);
    expect(beats).toBe(1);
  });

  it('is lost when one look never comes back, however often the others do', () => {
    pulse.cameBack('jobs', true);
    pulse.cameBack('mails', true);
    for (pulse.at = 0; pulse.at <= SILENT_AFTER; pulse.at += 1000) pulse.cameBack('jobs', true);
    expect([beats, pulse.isAlive]).toEqual([1, false]);
    pulse.cameBack('mails', true);
    expect([beats, pulse.isAlive, pulse.silence]).toEqual([2, true, 0]);
  });

  it('goes on while looks fail, and the worker is not ready then', () => {
    for (pulse.at = 0; pulse.at <= SILENT_AFTER; pulse.at += 1000) {
      pulse.cameBack('jobs', false);
      pulse.cameBack('mails', true);
    }
    expect([beats > 0, pulse.isAlive]).toEqual([true, false]);
    pulse.cameBack('jobs', true);
    expect(pulse.isAlive).toBe(true);
  });
});
