import { Upload } from '../../../../../test/tus-client-mock';
import { PROXY_BODY_LIMIT, proxyBodyLimit } from '../../../../shared/api/proxy-body-limit';
import { circuitBreaker } from './retry/circuit-breaker';
import { sendFile } from './send-file';

jest.mock('tus-js-client', () => jest.requireActual<object>('../../../../../test/tus-client-mock'));

const MB = 2 ** 20;

beforeEach(() => {
  jest.useFakeTimers();
  localStorage.clear();
  Upload.reset();
});
afterEach(() => {
  circuitBreaker.reset();
  jest.useRealTimers();
});

/** Sends a 2 MB file until it is stored or the sender gives up. */
function startSending() {
  const file = new File([new Uint8Array(2 * MB)], 'film.bin');
  const target = { zoneId: 7, folderId: null };
  const item = { id: 1, groupId: 1, file, target, sent: 0, onConflict: 'refuse' as const, state: 'uploading' as const };
  const outcome: { result?: unknown } = {};
  sendFile({ item, userId: 1, onProgress: () => undefined, signal: new AbortController().signal }).then(
    () => (outcome.result = 'arrived'),
    (error: unknown) => (outcome.result = error),
  );
  return outcome;
}

/** Advances the clock by this many seconds; `handleUpload` handles each upload started in the meantime. */
async function advanceSeconds(count: number, handleUpload: (upload: Upload) => Promise<void>): Promise<void> {
  let handled = 0;
  for (let second = 0; second < count; second++) {
    await jest.advanceTimersByTimeAsync(1000);
    for (; handled < Upload.instances.length; handled++) await handleUpload(Upload.instances[handled]!);
  }
}

describe('Chunk size after a proxy rejects the request size', () => {
  afterEach(() => proxyBodyLimit.reset());
  const lastUpload = () => Upload.instances.at(-1)!;
  // The response comes from nginx, not from our server: it has no error code.
  const refuse = async () => {
    await jest.advanceTimersByTimeAsync(0);
    await lastUpload().simulateErrorResponse(413, {});
    await jest.advanceTimersByTimeAsync(0);
  };

  it('switches to smaller chunks at once, including for later files', async () => {
    const outcome = startSending();
    await refuse();
    expect(Upload.instances.map(({ options }) => options.chunkSize)).toEqual([512 * MB, MB]);
    await lastUpload().simulateSuccess();
    await jest.advanceTimersByTimeAsync(0);
    expect(outcome.result).toBe('arrived');
    startSending();
    await jest.advanceTimersByTimeAsync(0);
    expect(lastUpload().options.chunkSize).toBe(MB);
  });

  it('fails the upload when the smallest chunk is rejected', async () => {
    const outcome = startSending();
    for (let tries = 0; tries < 4; tries++) await refuse();
    expect(Upload.instances.map(({ options }) => options.chunkSize)).toEqual([512 * MB, MB, MB / 4, MB / 16]);
    expect(outcome.result).toMatchObject({ status: 413, code: PROXY_BODY_LIMIT });
  });
});

describe('File upload whose sent bytes the server does not store', () => {
  it.each([
    ['when the server is unreachable', 503],
    ['when the file cannot be read', 500],
  ])('gives up after about a minute with few attempts: %s', async (_, status) => {
    const outcome = startSending();
    await advanceSeconds(90, async (upload) => {
      // The bytes sent don't count: the server rejects the whole request.
      upload.simulateProgress(0, 2 * MB);
      upload.simulateProgress(2 * MB, 2 * MB);
      await upload.simulateErrorResponse(status, { statusCode: status, code: 'HTTP_503', message: 'Away.' });
    });
    expect(outcome.result).toMatchObject({ status });
    expect(Upload.instances.length).toBeLessThan(12);
  });

  it('restarts its minute whenever the server has stored more bytes', async () => {
    const outcome = startSending();
    let keptBytes = 0;
    await advanceSeconds(150, async (upload) => {
      if (upload.url === null) upload.simulateUrlAvailable('/api/uploads/one');
      upload.simulateProgress(keptBytes, 2 * MB);
      // Each attempt gets a little further, as the next one reports.
      keptBytes += 1000;
      await upload.simulateErrorResponse(500, { statusCode: 500, code: 'HTTP_500', message: 'Stumbled.' });
    });
    expect(outcome.result).toBeUndefined();
    expect(Upload.instances.length).toBeGreaterThan(12);
  });
});
