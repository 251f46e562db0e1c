import { UNHEALTHY_AFTER, WorkerHeartbeat } from './worker-heartbeat.js';

class HandSetPulse extends WorkerHeartbeat {
  at = 0;
  protected override now(): number {
    return this.at ?? 0;
  }
}

describe('WorkerHeartbeat', () => {
  let pulse: HandSetPulse;
  let heartbeats: number;
  beforeEach(() => {
    pulse = new HandSetPulse();
    heartbeats = 0;
    pulse.onHeartbeat(() => (heartbeats += 1));
    pulse.registerPoller('jobs');
    pulse.registerPoller('mails');
  });

  it('beats once every poller has returned since the last beat', () => {
    pulse.recordPoll('jobs', true);
    pulse.recordPoll('jobs', true);
    expect(heartbeats).toBe(0);
    pulse.recordPoll('mails', true);
    expect(heartbeats).toBe(1);
    pulse.recordPoll('mails', true);
    expect(heartbeats).toBe(1);
  });

  it('stops when one poll hangs, even if the others return', () => {
    pulse.recordPoll('jobs', true);
    pulse.recordPoll('mails', true);
    for (pulse.at = 0; pulse.at <= UNHEALTHY_AFTER; pulse.at += 1000) pulse.recordPoll('jobs', true);
    expect([heartbeats, pulse.isHealthy]).toEqual([1, false]);
    pulse.recordPoll('mails', true);
    expect([heartbeats, pulse.isHealthy, pulse.millisecondsSinceSuccess]).toEqual([2, true, 0]);
  });

  it('continues while polls fail, but the worker is not healthy', () => {
    for (pulse.at = 0; pulse.at <= UNHEALTHY_AFTER; pulse.at += 1000) {
      pulse.recordPoll('jobs', false);
      pulse.recordPoll('mails', true);
    }
    expect([heartbeats > 0, pulse.isHealthy]).toEqual([true, false]);
    pulse.recordPoll('jobs', true);
    expect(pulse.isHealthy).toBe(true);
  });
});
