import { UNHEALTHY_AFTER, WorkerHeartbeat } from './worker-heartbeat.js';

/** A heartbeat whose clock is set by the test. */
class ManualHeartbeat extends WorkerHeartbeat {
  at = 0;
  protected override now(): number {
    return this.at ?? 0;
  }
}

describe('WorkerHeartbeat', () => {
  let heartbeat: ManualHeartbeat;
  let heartbeats: number;
  beforeEach(() => {
    heartbeat = new ManualHeartbeat();
    heartbeats = 0;
    heartbeat.onHeartbeat(() => (heartbeats += 1));
    heartbeat.registerPoller('jobs');
    heartbeat.registerPoller('mails');
  });

  it('sends a heartbeat once every poller has returned since the last one', () => {
    heartbeat.recordPoll('jobs', true);
    heartbeat.recordPoll('jobs', true);
    expect(heartbeats).toBe(0);
    heartbeat.recordPoll('mails', true);
    expect(heartbeats).toBe(1);
    heartbeat.recordPoll('mails', true);
    expect(heartbeats).toBe(1);
  });

  it('stops when one poll hangs, even if the others return', () => {
    heartbeat.recordPoll('jobs', true);
    heartbeat.recordPoll('mails', true);
    for (heartbeat.at = 0; heartbeat.at <= UNHEALTHY_AFTER; heartbeat.at += 1000) heartbeat.recordPoll('jobs', true);
    expect([heartbeats, heartbeat.isHealthy]).toEqual([1, false]);
    heartbeat.recordPoll('mails', true);
    expect([heartbeats, heartbeat.isHealthy, heartbeat.millisecondsSinceSuccess]).toEqual([2, true, 0]);
  });

  it('continues while polls fail, but the worker is not healthy', () => {
    for (heartbeat.at = 0; heartbeat.at <= UNHEALTHY_AFTER; heartbeat.at += 1000) {
      heartbeat.recordPoll('jobs', false);
      heartbeat.recordPoll('mails', true);
    }
    expect([heartbeats > 0, heartbeat.isHealthy]).toEqual([true, false]);
    heartbeat.recordPoll('jobs', true);
    expect(heartbeat.isHealthy).toBe(true);
  });
});
