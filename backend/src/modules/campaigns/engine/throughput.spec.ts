import type { SendOutcome } from '../../../platform/email/outcome/send-outcome.js';
import { DeliveryConfig } from './delivery.policy.js';
import { Throughput } from './throughput.js';

const SENT: SendOutcome = { kind: 'sent' };
const SERVER_ERROR: SendOutcome = { kind: 'server-error', code: 421, reason: 'Try again later' };

const createThroughput = (connections: number) => new Throughput(new DeliveryConfig(), { connections });

describe('Throughput', () => {
  let now: number;

  beforeEach(() => {
    now = 1000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  it('blocks sending after three consecutive server errors, twice as long each time up to 30 seconds', () => {
    const throughput = createThroughput(20);
    expect([1, 2].map(() => throughput.recordOutcome(SERVER_ERROR))).toEqual([null, null]);
    expect(throughput.isBlocked).toBe(false);
    for (const wait of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      expect(throughput.recordOutcome(SERVER_ERROR)).toBe(wait);
      expect(throughput.isBlocked).toBe(true);
      now += wait;
      expect(throughput.isBlocked).toBe(false);
    }
  });

  it('states the pause once, also if other connections fail meanwhile', () => {
    const throughput = createThroughput(20);
    const waits = Array.from({ length: 5 }, () => throughput.recordOutcome(SERVER_ERROR));
    expect(waits).toEqual([null, null, 1000, null, null]);
  });

  it('tries a server that appears to be down with one email at a time, until it accepts one', () => {
    const throughput = createThroughput(20);
    const limits = () => ({ connections: throughput.maxConnections, batch: throughput.batchSize });
    expect(limits()).toEqual({ connections: 20, batch: 40 });
    for (let times = 0; times < 3; times++) throughput.recordOutcome(SERVER_ERROR);
    expect(limits()).toEqual({ connections: 1, batch: 1 });
    now += 1000;
    throughput.recordOutcome(SENT);
    expect(limits()).toEqual({ connections: 20, batch: 40 });
  });

  it('claims what is sent within a quarter of a second, at most 1,000 emails', () => {
    const throughput = createThroughput(2);
    const sendWithinSecond = (count: number) => {
      for (let sent = 0; sent < count; sent++) {
        now += 1000 / count;
        throughput.recordOutcome(SENT);
      }
    };
    throughput.recordOutcome(SENT);
    sendWithinSecond(100);
    expect(throughput.batchSize).toBe(25);
    sendWithinSecond(8000);
    expect(throughput.batchSize).toBe(1000);
  });
});
