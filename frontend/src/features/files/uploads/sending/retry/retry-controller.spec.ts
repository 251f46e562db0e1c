import { ApiError, NETWORK_ERROR, toApiError } from '../../../../../shared/api/api-error';
import { circuitBreaker } from './circuit-breaker';
import { RetryController } from './retry-controller';

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  circuitBreaker.reset();
  jest.useRealTimers();
});

const unavailable = new ApiError(503, 'HTTP_503', '');

/** Retries a request that never succeeds; returns the number of attempts and the duration in milliseconds. */
async function retryUntilGivenUp(error: ApiError, patience = new RetryController(new AbortController().signal)) {
  const startedAt = Date.now();
  let tries = 0;
  let over: unknown = null;
  const run = async () => {
    for (;;) {
      await patience.waitUntilReady(() => undefined);
      tries++;
      await patience.waitToRetry(error, () => undefined);
    }
  };
  run().catch((reason: unknown) => (over = reason));
  while (over === null) await jest.advanceTimersByTimeAsync(100);
  return { tries, over, took: Date.now() - startedAt };
}

describe('RetryController', () => {
  it('retries for about a minute with growing delays, then reports the error', async () => {
    const { tries, over, took } = await retryUntilGivenUp(unavailable);
    expect(over).toBe(unavailable);
    expect(tries).toBe(8);
    expect(took).toBeGreaterThan(45_000);
    expect(took).toBeLessThan(65_000);
  });

  it('does not retry permanent errors', async () => {
    for (const error of [new ApiError(403, 'FORBIDDEN', ''), new ApiError(503, 'DISK_FULL', '')]) {
      expect(await retryUntilGivenUp(error)).toMatchObject({ tries: 1, over: error });
    }
  });

  it.each([
    ['in seconds', () => '20'],
    ['as a date', () => new Date(Date.now() + 20_000).toUTCString()],
  ])('honours Retry-After given %s and pauses all other requests', async (_, header) => {
    const busy = toApiError(429, '{}', null, header());
    expect(busy.retryAfter).toBeGreaterThanOrEqual(19);
    const { signal } = new AbortController();
    const first = new RetryController(signal);
    const waited = first.waitToRetry(busy, () => undefined);
    let isRested = false;
    const reportedErrors: ApiError[] = [];
    void new RetryController(signal)
      .waitUntilReady((error) => reportedErrors.push(error))
      .then(() => (isRested = true));
    expect(reportedErrors).toEqual([busy]);
    await jest.advanceTimersByTimeAsync(18_000);
    expect(isRested).toBe(false);
    await jest.advanceTimersByTimeAsync(3000);
    await waited;
    // Only one request probes.
    expect(isRested).toBe(false);
    first.recordResponse();
    await jest.advanceTimersByTimeAsync(0);
    expect(isRested).toBe(true);
  });

  it('gives up after a minute plus the last Retry-After delay', async () => {
    const { tries, took } = await retryUntilGivenUp(toApiError(429, '{}', null, '40'));
    expect(tries).toBe(3);
    expect(took).toBeLessThan(120_000);
  });

  it('restarts its minute when the connection is back', async () => {
    const retryController = new RetryController(new AbortController().signal);
    const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const waited = retryController.waitToRetry(unavailable, () => undefined);
    await jest.advanceTimersByTimeAsync(600_000);
    online.mockRestore();
    dispatchEvent(new Event('online'));
    await waited;
    const again = retryController.waitToRetry(unavailable, () => undefined);
    await jest.advanceTimersByTimeAsync(5000);
    await expect(again).resolves.toBeUndefined();
  });

  it('gives up at once when Retry-After exceeds a minute and a half', async () => {
    expect(await retryUntilGivenUp(toApiError(429, '{}', null, '3600'))).toMatchObject({ tries: 1 });
  });

  it('stops on abort and retries at once when the connection is back', async () => {
    const abort = new AbortController();
    const waiting = new RetryController(abort.signal).waitToRetry(new ApiError(0, NETWORK_ERROR, ''), () => undefined);
    abort.abort();
    await expect(waiting).rejects.toThrow('abort');
    const other = new RetryController(new AbortController().signal);
    const back = other.waitToRetry(new ApiError(0, NETWORK_ERROR, ''), () => undefined);
    dispatchEvent(new Event('online'));
    await back;
  });
});
