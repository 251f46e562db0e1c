import { ApiError, NETWORK, toApiError } from '../../../../../shared/api/api-error';
import { gate } from './gate';
import { Patience } from './patience';

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  gate.reset();
  jest.useRealTimers();
});

const busy = (seconds: number) => toApiError(429, '{}', null, String(seconds));
const away = new ApiError(503, 'HTTP_503', '');

interface Try {
  who: string;
  at: number;
  refuse: (error: unknown) => void;
  answer: () => void;
}

/** Three that send at the same time, whose requests the test answers by hand. */
function setUp(names = ['a', 'b', 'c']) {
  const begun = Date.now();
  const tries: Try[] = [];
  const ends: Record<string, unknown> = {};
  const told: Record<string, number | null> = {};
  const aborts = Object.fromEntries(names.map((who) => [who, new AbortController()]));
  const send = async (who: string) => {
    const { signal } = aborts[who]!;
    const patience = new Patience(signal);
    const onWait = (_: ApiError, until: number | null) => (told[who] = until === null ? null : until - begun);
    for (;;) {
      try {
        await patience.rested(onWait);
        await new Promise<void>((answer, refuse) => {
          tries.push({ who, at: Date.now() - begun, answer, refuse });
          signal.addEventListener('abort', () => refuse(signal.reason));
        });
        patience.answered();
        return;
      } catch (error) {
        await patience.wait(error, onWait);
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

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('a server that refuses what is sent', () => {
  it('is asked once when its rest is over, and by all others after that one was taken', async () => {
    const { tries, ends, told, names } = setUp();
    await pass(0);
    for (const one of tries) one.refuse(busy(12));
    await pass(11_000);
    expect(told).toEqual({ a: 12_000, b: 12_000, c: 12_000 });
    expect(names()).toEqual(['a', 'b', 'c']);
    await pass(1500);
    expect(names()).toEqual(['a', 'b', 'c', 'a']);
    // What waits for that one cannot say when it goes on.
    expect(told).toMatchObject({ b: null, c: null });
    tries[3]!.answer();
    await pass(0);
    expect(names().slice(4).sort()).toEqual(['b', 'c']);
    tries[4]!.answer();
    tries[5]!.answer();
    await pass(0);
    expect(ends).toEqual({ a: 'arrived', b: 'arrived', c: 'arrived' });
  });

  it('is asked by the next one when the one that asked was refused again', async () => {
    const { tries, names } = setUp();
    await pass(0);
    for (const one of tries) one.refuse(away);
    await pass(500);
    expect(names()).toEqual(['a', 'b', 'c', 'a']);
    tries[3]!.refuse(away);
    await pass(740);
    expect(names()).toHaveLength(4);
    await pass(260);
    expect(names().slice(4)).toEqual(['b']);
  });

  it('is asked by the next one at once when the one that asked is cancelled, or lost its line', async () => {
    const { tries, aborts, names } = setUp();
    await pass(0);
    for (const one of tries) one.refuse(busy(5));
    await pass(5000);
    aborts['a']!.abort();
    await pass(0);
    expect(names().slice(3)).toEqual(['a', 'b']);
    tries[4]!.refuse(new ApiError(0, NETWORK, ''));
    await pass(0);
    expect(names().slice(5)).toEqual(['c']);
  });

  it('holds up nobody by a refusal that concerns one file', async () => {
    const { tries, ends, names } = setUp();
    await pass(0);
    tries[0]!.refuse(new ApiError(500, 'INTERNAL', ''));
    tries[1]!.refuse(new ApiError(409, 'DUPLICATE_NAMES', ''));
    await pass(0);
    expect(gate.isOpen).toBe(true);
    expect(ends['b']).toMatchObject({ code: 'DUPLICATE_NAMES' });
    await pass(500);
    expect(names().slice(3)).toEqual(['a']);
  });

  it('opens by any answer, also one that says no', async () => {
    const { tries, names } = setUp();
    await pass(0);
    for (const one of tries) one.refuse(busy(5));
    await pass(5000);
    tries[3]!.refuse(new ApiError(403, 'PLAN_LIMIT', ''));
    await pass(0);
    expect(names().slice(4).sort()).toEqual(['b', 'c']);
  });

  it('is given up by all of them after a minute, with few tries in all', async () => {
    const { tries, ends, names } = setUp();
    for (let second = 0; second < 75; second++) {
      for (const one of tries) one.refuse(away);
      await pass(1000);
    }
    expect(ends).toEqual({ a: away, b: away, c: away });
    expect(names().length).toBeLessThanOrEqual(12);
  });

  it('is asked at once by who is sent anew after that, but for its own rest', async () => {
    const first = setUp(['a']);
    for (let second = 0; second < 75; second++) {
      for (const one of first.tries) one.refuse(away);
      await pass(1000);
    }
    const { tries } = setUp(['b']);
    await pass(0);
    expect(tries).toHaveLength(1);
    tries[0]!.refuse(busy(40));
    await pass(0);
    expect(setUp(['c']).tries).toHaveLength(0);
  });
});
