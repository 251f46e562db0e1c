import { ApiError, NETWORK_ERROR, toApiError } from '../../../../../shared/api/api-error';
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
  reject: (error: unknown) => void;
  respond: () => void;
}

/** Starts three concurrent senders whose requests the test answers by hand. */
function setUp(names = ['a', 'b', 'c']) {
  const startedAt = Date.now();
  const attempts: Attempt[] = [];
  const ends: Record<string, unknown> = {};
  const waits: Record<string, number | null> = {};
  const aborts = Object.fromEntries(names.map((who) => [who, new AbortController()]));
  const send = async (who: string) => {
    const { signal } = aborts[who]!;
    const retryController = new RetryController(signal);
    const onWait = (_: ApiError, until: number | null) => (waits[who] = until === null ? null : until - startedAt);
    for (;;) {
      try {
        await retryController.waitUntilReady(onWait);
        await new Promise<void>((respond, reject) => {
          attempts.push({ who, at: Date.now() - startedAt, respond, reject });
          signal.addEventListener('abort', () => reject(signal.reason));
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
  return { attempts, ends, waits, aborts, names: () => attempts.map(({ who }) => who) };
}

const advanceTime = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('Upload circuit breaker', () => {
  it('lets one request probe after the wait and resumes all others once it succeeds', async () => {
    const { attempts, ends, waits, names } = setUp();
    await advanceTime(0);
    for (const attempt of attempts) attempt.reject(tooManyRequests(12));
    await advanceTime(11_000);
    expect(waits).toEqual({ a: 12_000, b: 12_000, c: 12_000 });
    expect(names()).toEqual(['a', 'b', 'c']);
    await advanceTime(1500);
    expect(names()).toEqual(['a', 'b', 'c', 'a']);
    // Requests waiting for the probe have no known resume time.
    expect(waits).toMatchObject({ b: null, c: null });
    attempts[3]!.respond();
    await advanceTime(0);
    expect(names().slice(4).sort()).toEqual(['b', 'c']);
    attempts[4]!.respond();
    attempts[5]!.respond();
    await advanceTime(0);
    expect(ends).toEqual({ a: 'arrived', b: 'arrived', c: 'arrived' });
  });

  it('lets the next request probe when the first one is rejected again', async () => {
    const { attempts, names } = setUp();
    await advanceTime(0);
    for (const attempt of attempts) attempt.reject(unavailable);
    await advanceTime(500);
    expect(names()).toEqual(['a', 'b', 'c', 'a']);
    attempts[3]!.reject(unavailable);
    await advanceTime(740);
    expect(names()).toHaveLength(4);
    await advanceTime(260);
    expect(names().slice(4)).toEqual(['b']);
  });

  it('lets the next request probe at once when the first one is cancelled or disconnected', async () => {
    const { attempts, aborts, names } = setUp();
    await advanceTime(0);
    for (const attempt of attempts) attempt.reject(tooManyRequests(5));
    await advanceTime(5000);
    aborts['a']!.abort();
    await advanceTime(0);
    expect(names().slice(3)).toEqual(['a', 'b']);
    attempts[4]!.reject(new ApiError(0, NETWORK_ERROR, ''));
    await advanceTime(0);
    expect(names().slice(5)).toEqual(['c']);
  });

  it('stays closed for errors that concern a single file', async () => {
    const { attempts, ends, names } = setUp();
    await advanceTime(0);
    attempts[0]!.reject(new ApiError(500, 'INTERNAL', ''));
    attempts[1]!.reject(new ApiError(409, 'DUPLICATE_NAMES', ''));
    await advanceTime(0);
    expect(circuitBreaker.isClosed).toBe(true);
    expect(ends['b']).toMatchObject({ code: 'DUPLICATE_NAMES' });
    await advanceTime(500);
    expect(names().slice(3)).toEqual(['a']);
  });

  it('closes on any response, including a rejection', async () => {
    const { attempts, names } = setUp();
    await advanceTime(0);
    for (const attempt of attempts) attempt.reject(tooManyRequests(5));
    await advanceTime(5000);
    attempts[3]!.reject(new ApiError(403, 'PLAN_LIMIT', ''));
    await advanceTime(0);
    expect(names().slice(4).sort()).toEqual(['b', 'c']);
  });

  it('gives up all requests after a minute with few attempts', async () => {
    const { attempts, ends, names } = setUp();
    for (let second = 0; second < 75; second++) {
      for (const attempt of attempts) attempt.reject(unavailable);
      await advanceTime(1000);
    }
    expect(ends).toEqual({ a: unavailable, b: unavailable, c: unavailable });
    expect(names().length).toBeLessThanOrEqual(12);
  });

  it('lets a new upload probe at once after giving up, unless the server asked to wait', async () => {
    const first = setUp(['a']);
    for (let second = 0; second < 75; second++) {
      for (const attempt of first.attempts) attempt.reject(unavailable);
      await advanceTime(1000);
    }
    const { attempts } = setUp(['b']);
    await advanceTime(0);
    expect(attempts).toHaveLength(1);
    attempts[0]!.reject(tooManyRequests(40));
    await advanceTime(0);
    expect(setUp(['c']).attempts).toHaveLength(0);
  });
});
