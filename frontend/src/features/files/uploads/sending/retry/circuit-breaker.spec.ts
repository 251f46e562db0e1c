import { ApiError, NETWORK, toApiError } from '../../../../../shared/api/api-error';
import { circuitBreaker } from './circuit-breaker';
import { RetryController } from './retry-controller';

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  circuitBreaker.reset();
  jest.useRealTimers();
});

const tooManyRequests = (seconds: number) => toApiError(429, '{}', null, String(seconds));
const unavailable = new ApiError(503, 'HTTP_503', '');

interface Attempt {
  who: string;
  at: number;
  refuse: (error: unknown) => void;
  answer: () => void;
}

/** Starts three concurrent senders whose requests the test answers by hand. */
function setUp(names = ['a', 'b', 'c']) {
  const startedAt = Date.now();
  const tries: Attempt[] = [];
  const ends: Record<string, unknown> = {};
  const told: Record<string, number | null> = {};
  const aborts = Object.fromEntries(names.map((who) => [who, new AbortController()]));
  const send = async (who: string) => {
    const { signal } = aborts[who]!;
    const retryController = new RetryController(signal);
    const onWait = (_: ApiError, until: number | null) => (told[who] = until === null ? null : until - startedAt);
    for (;;) {
      try {
        await retryController.waitUntilReady(onWait);
        await new Promise<void>((answer, refuse) => {
          tries.push({ who, at: Date.now() - startedAt, answer, refuse });
          signal.addEventListener('abort', () => refuse(signal.reason));
        });
        retryController.recordResponse();
        return;
      } catch (error) {
        await retryController.waitToRetry(error, onWait);
      }
    }
  };
  for (const who of names)
    send(who).then(
      () => (ends[who] = 'arrived'),
      (error: unknown) => (ends[who] = error),
    );
  return { tries, ends, told, aborts, names: () => tries.map(({ who }) => who) };
}

const advanceTime = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('Upload circuit breaker', () => {
  it('lets one request probe after the wait and resumes all others once it succeeds', async () => {
    const { tries, ends, told, names } = setUp();
    await advanceTime(0);
    for (const one of tries) one.refuse(tooManyRequests(12));
    await advanceTime(11_000);
    expect(told).toEqual({ a: 12_000, b: 12_000, c: 12_000 });
    expect(names()).toEqual(['a', 'b', 'c']);
    await advanceTime(1500);
    expect(names()).toEqual(['a', 'b', 'c', 'a']);
    // Requests waiting for the probe have no known resume time.
    expect(told).toMatchObject({ b: null, c: null });
    tries[3]!.answer();
    await advanceTime(0);
    expect(names().slice(4).sort()).toEqual(['b', 'c']);
    tries[4]!.answer();
    tries[5]!.answer();
    await advanceTime(0);
    expect(ends).toEqual({ a: 'arrived', b: 'arrived', c: 'arrived' });
  });

  it('lets the next request probe when the first one is rejected again', async () => {
    const { tries, names } = setUp();
    await advanceTime(0);
    for (const one of tries) one.refuse(unavailable);
    await advanceTime(500);
    expect(names()).toEqual(['a', 'b', 'c', 'a']);
    tries[3]!.refuse(unavailable);
    await advanceTime(740);
    expect(names()).toHaveLength(4);
    await advanceTime(260);
    expect(names().slice(4)).toEqual(['b']);
  });

  it('lets the next request probe at once when the first one is cancelled or disconnected', async () => {
    const { tries, aborts, names } = setUp();
    await advanceTime(0);
    for (const one of tries) one.refuse(tooManyRequests(5));
    await advanceTime(5000);
    aborts['a']!.abort();
    await advanceTime(0);
    expect(names().slice(3)).toEqual(['a', 'b']);
    tries[4]!.refuse(new ApiError(0, NETWORK, ''));
    await advanceTime(0);
    expect(names().slice(5)).toEqual(['c']);
  });

  it('stays closed for errors that concern a single file', async () => {
    const { tries, ends, names } = setUp();
    await advanceTime(0);
    tries[0]!.refuse(new ApiError(500, 'INTERNAL', ''));
    tries[1]!.refuse(new ApiError(409, 'DUPLICATE_NAMES', ''));
    await advanceTime(0);
    expect(circuitBreaker.isClosed).toBe(true);
    expect(ends['b']).toMatchObject({ code: 'DUPLICATE_NAMES' });
    await advanceTime(500);
    expect(names().slice(3)).toEqual(['a']);
  });

  it('closes on any response, including a rejection', async () => {
    const { tries, names } = setUp();
    await advanceTime(0);
    for (const one of tries) one.refuse(tooManyRequests(5));
    await advanceTime(5000);
    tries[3]!.refuse(new ApiError(403, 'PLAN_LIMIT', ''));
    await advanceTime(0);
    expect(names().slice(4).sort()).toEqual(['b', 'c']);
  });

  it('gives up all requests after a minute with few attempts', async () => {
    const { tries, ends, names } = setUp();
    for (let second = 0; second < 75; second++) {
      for (const one of tries) one.refuse(unavailable);
      await advanceTime(1000);
    }
    expect(ends).toEqual({ a: unavailable, b: unavailable, c: unavailable });
    expect(names().length).toBeLessThanOrEqual(12);
  });

  it('lets a new upload probe at once after giving up, unless the server asked to wait', async () => {
    const first = setUp(['a']);
    for (let second = 0; second < 75; second++) {
      for (const one of first.tries) one.refuse(unavailable);
      await advanceTime(1000);
    }
    const { tries } = setUp(['b']);
    await advanceTime(0);
    expect(tries).toHaveLength(1);
    tries[0]!.refuse(tooManyRequests(40));
    await advanceTime(0);
    expect(setUp(['c']).tries).toHaveLength(0);
  });
});
