import { Upload } from '../../../../../test/tus';
import { FRONT_LIMIT, frontLimit } from '../../../../shared/api/front-limit';
import { gate } from './trying/gate';
import { sendFile } from './send-file';

jest.mock('tus-js-client', () => jest.requireActual<object>('../../../../../test/tus'));

const MB = 2 ** 20;

beforeEach(() => {
  jest.useFakeTimers();
  localStorage.clear();
  Upload.reset();
});
afterEach(() => {
  gate.reset();
  jest.useRealTimers();
});

/** Sends a file of 2 MB until the page gives it up or it has arrived. */
function begin() {
  const file = new File([new Uint8Array(2 * MB)], 'film.bin');
  const target = { zoneId: 7, folderId: null };
  const item = { id: 1, drop: 1, file, target, sent: 0, rename: false, state: 'uploading' as const };
  const over: { with?: unknown } = {};
  sendFile({ item, userId: 1, onReport: () => undefined, signal: new AbortController().signal }).then(
    () => (over.with = 'arrived'),
    (error: unknown) => (over.with = error),
  );
  return over;
}

/** Lets so many seconds pass, each upload that is begun meanwhile being treated by `work`. */
async function seconds(count: number, work: (upload: Upload) => Promise<void>): Promise<void> {
  let treated = 0;
  for (let second = 0; second < count; second++) {
    await jest.advanceTimersByTimeAsync(1000);
    for (; treated < Upload.all.length; treated++) await work(Upload.all[treated]!);
  }
}

describe('a file that a proxy in front refuses for its size', () => {
  afterEach(() => frontLimit.reset());
  const lastOf = () => Upload.all.at(-1)!;
  // What nginx answers is not of our server: it has no code.
  const refuse = async () => {
    await jest.advanceTimersByTimeAsync(0);
    await lastOf().refuse(413, {});
    await jest.advanceTimersByTimeAsync(0);
  };

  it('goes in smaller pieces at once, and so do those after it', async () => {
    const over = begin();
    await refuse();
    expect(Upload.all.map(({ options }) => options.chunkSize)).toEqual([Infinity, MB]);
    await lastOf().arrive();
    await jest.advanceTimersByTimeAsync(0);
    expect(over.with).toBe('arrived');
    begin();
    await jest.advanceTimersByTimeAsync(0);
    expect(lastOf().options.chunkSize).toBe(MB);
  });

  it('is given up when the smallest piece is refused', async () => {
    const over = begin();
    for (let tries = 0; tries < 4; tries++) await refuse();
    expect(Upload.all.map(({ options }) => options.chunkSize)).toEqual([Infinity, MB, MB / 4, MB / 16]);
    expect(over.with).toMatchObject({ status: 413, code: FRONT_LIMIT });
  });
});

describe('a file of which bytes leave that the server does not keep', () => {
  it.each([
    ['at a server that is away', 503],
    ['by a fault of its own', 500],
  ])('is given up after about a minute %s, with few tries', async (_, status) => {
    const over = begin();
    await seconds(90, async (upload) => {
      // What has left counts for nothing: the server refuses it whole.
      upload.progress(0, 2 * MB);
      upload.progress(2 * MB, 2 * MB);
      await upload.refuse(status, { statusCode: status, code: 'HTTP_503', message: 'Away.' });
    });
    expect(over.with).toMatchObject({ status });
    expect(Upload.all.length).toBeLessThan(12);
  });

  it('has its minute anew whenever the server has more of it than before', async () => {
    const over = begin();
    let kept = 0;
    await seconds(150, async (upload) => {
      if (upload.url === null) upload.begin('/api/uploads/one');
      upload.progress(kept, 2 * MB);
      // Each time a little more is kept, as the next attempt tells.
      kept += 1000;
      await upload.refuse(500, { statusCode: 500, code: 'HTTP_500', message: 'Stumbled.' });
    });
    expect(over.with).toBeUndefined();
    expect(Upload.all.length).toBeGreaterThan(12);
  });
});
