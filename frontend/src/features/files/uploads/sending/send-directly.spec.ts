import { errorResponse, mockApi, type MockResponse } from '../../../../../test/api';
import type { ProgressReport } from './queue-options';
import { directUploads, sendDirectly } from './send-directly';
import { uploadStorage } from './upload-storage';

/** Fake `XMLHttpRequest`: the test plays the bucket. */
class FakePut {
  static all: FakePut[] = [];
  readonly upload: { onprogress?: (event: { loaded: number }) => void } = {};
  status = 0;
  url = '';
  body!: Blob;
  etag: string | null = null;
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onloadend?: () => void;

  open = (_method: string, url: string): void => void (this.url = url);
  getResponseHeader = (): string | null => this.etag;
  send = (body: Blob): void => {
    this.body = body;
    FakePut.all.push(this);
  };
  abort = (): void => {
    this.onabort?.();
    this.onloadend?.();
  };
  accept = (): void => this.respond(200, `"etag of ${this.url}"`);
  respond(status: number, etag: string | null = null): void {
    Object.assign(this, { status, etag });
    this.onload?.();
    this.onloadend?.();
  }
  failNetwork(): void {
    this.onerror?.();
    this.onloadend?.();
  }
}

const SIZE = 8 * 2 ** 20 + 1;
const PART = 2 * 2 ** 20;
const COUNT = 5;
const upload = (fields: object = {}) => ({
  ...{ id: 'one', location: '/api/uploads/one', state: 'receiving', acceptsParts: true },
  ...fields,
});
const flush = () => jest.advanceTimersByTimeAsync(0);

const originalXMLHttpRequest = globalThis.XMLHttpRequest;
beforeEach(() => {
  jest.useFakeTimers();
  localStorage.clear();
  directUploads.reset();
  FakePut.all = [];
  globalThis.XMLHttpRequest = FakePut as unknown as typeof XMLHttpRequest;
});
afterEach(() => {
  globalThis.XMLHttpRequest = originalXMLHttpRequest;
  jest.useRealTimers();
});

function mockServer(responses: Record<string, MockResponse> = {}, sent: number[] = []) {
  let round = 0;
  return mockApi({
    'POST /api/uploads': [201, upload()],
    'GET /api/uploads/one/parts': [200, { partBytes: PART, count: COUNT, sent }],
    'POST /api/uploads/one/parts': async (request) => {
      const { numbers } = (await request.json()) as { numbers: number[] };
      round += 1;
      const expiresAt = '2030-01-01T00:00:00Z';
      return [200, numbers.map((number) => ({ number, url: `https://bucket/${number}?round=${round}`, expiresAt }))];
    },
    'POST /api/uploads/one/complete': [202, upload({ state: 'checking' })],
    'GET /api/uploads/one': [200, upload({ state: 'stored', fileId: 7 })],
    ...responses,
  });
}

function startSending(name = 'film.bin') {
  const file = new File([new Uint8Array(SIZE)], name);
  const target = { zoneId: 7, folderId: null };
  const item = { id: 1, groupId: 1, file, target, sent: 0, onConflict: 'refuse' as const, state: 'uploading' as const };
  const reports: ProgressReport[] = [];
  const controller = new AbortController();
  const outcome: { result?: unknown } = {};
  const onProgress = (report: ProgressReport) => void reports.push(report);
  const options = { item, userId: 1, metadata: { filename: 'Ağ.bin' }, onProgress, signal: controller.signal };
  sendDirectly({ ...options, onResponse: () => undefined }).then(
    (isSent) => (outcome.result = isSent),
    (error: unknown) => (outcome.result = error),
  );
  return { outcome, reports, controller };
}

/** Lets the bucket accept everything that comes. */
async function acceptAll(): Promise<void> {
  for (let handled = 0; handled < FakePut.all.length || handled === 0;) {
    await flush();
    for (; handled < FakePut.all.length; handled++) FakePut.all[handled]!.accept();
    await flush();
  }
}

it('sends slices of the file, three at a time, and waits until they are a file', async () => {
  const { callsTo } = mockServer();
  const { outcome, reports } = startSending();
  await flush();
  expect(FakePut.all.map(({ url }) => url)).toEqual([1, 2, 3].map((number) => `https://bucket/${number}?round=1`));
  FakePut.all[1]!.upload.onprogress!({ loaded: PART / 2 });
  expect(reports.at(-1)!.sent).toBeCloseTo(PART / 2 / SIZE);
  FakePut.all[1]!.accept();
  await flush();
  expect(FakePut.all).toHaveLength(4);
  await acceptAll();
  expect(FakePut.all.map(({ body }) => body.size)).toEqual([PART, PART, PART, PART, 1]);
  expect(outcome.result).toBe(true);
  expect(reports.at(-1)).toMatchObject({ sent: 1, isChecking: true });
  const { body } = callsTo('POST /api/uploads/one/complete')[0]!;
  expect((body as { sent: { number: number }[] }).sent.map(({ number }) => number).sort()).toEqual([1, 2, 3, 4, 5]);
  const { headers } = callsTo('POST /api/uploads')[0]!;
  expect(headers.get('upload-metadata')).toBe(`filename ${Buffer.from('Ağ.bin').toString('base64')}`);
  expect(uploadStorage.list(1)).toEqual([]);
});

it('sends only the missing parts after a reload', async () => {
  mockServer({}, [1, 2, 4]);
  const { outcome, reports } = startSending();
  await flush();
  expect(reports[0]!.sent).toBeCloseTo((3 * PART) / SIZE);
  expect(FakePut.all.map(({ url }) => url)).toEqual([3, 5].map((number) => `https://bucket/${number}?round=1`));
  await acceptAll();
  expect(outcome.result).toBe(true);
});

it.each([
  ["can't be reached, for example because of its CORS rule", (put: FakePut) => put.failNetwork()],
  ["doesn't show the ETag", (put: FakePut) => put.respond(200)],
  ['refuses the address', (put: FakePut) => put.respond(403)],
])('leaves all files of the page to the service if the bucket %s', async (_, fail) => {
  const { calls } = mockServer();
  const first = startSending();
  await flush();
  fail(FakePut.all[0]!);
  await flush();
  expect(first.outcome.result).toBe(false);
  // It is continued through the service.
  expect(uploadStorage.list(1)).toHaveLength(1);
  const before = calls.length;
  const second = startSending('other.bin');
  await flush();
  expect(second.outcome.result).toBe(false);
  expect(calls).toHaveLength(before);
});

it('asks once whether the storage accepts parts', async () => {
  const { calls } = mockServer({ 'POST /api/uploads': [201, upload({ acceptsParts: false })] });
  const first = startSending();
  await flush();
  const before = calls.length;
  const second = startSending('other.bin');
  await flush();
  expect([first.outcome.result, second.outcome.result]).toEqual([false, false]);
  expect(calls).toHaveLength(before);
});

it('retries a part with a new address once the bucket has accepted another', async () => {
  const { callsTo } = mockServer();
  const { outcome } = startSending();
  await flush();
  FakePut.all[0]!.accept();
  FakePut.all[1]!.failNetwork();
  await jest.advanceTimersByTimeAsync(1000);
  expect(FakePut.all.at(-1)!.url).toBe('https://bucket/2?round=2');
  // The request for an address reports what was sent.
  expect(callsTo('POST /api/uploads/one/parts')[1]!.body).toMatchObject({ sent: [{ number: 1 }] });
  for (const put of FakePut.all.slice(2)) put.accept();
  await acceptAll();
  expect(outcome.result).toBe(true);
});

it('reports what was sent when it is paused', async () => {
  const { callsTo } = mockServer();
  const { outcome, controller } = startSending();
  await flush();
  FakePut.all[0]!.accept();
  await flush();
  controller.abort();
  await flush();
  expect(outcome.result).toMatchObject({ name: 'AbortError' });
  expect(callsTo('POST /api/uploads/one/parts').at(-1)!.body).toMatchObject({ numbers: [], sent: [{ number: 1 }] });
});

it('says why a checked file was not stored', async () => {
  const taken = errorResponse(409, 'DUPLICATE_NAMES', 'Taken.', { names: ['film.bin'] });
  const { setResponse } = mockServer({ 'GET /api/uploads/one': [200, upload({ state: 'checking' })] });
  const { outcome } = startSending();
  await acceptAll();
  expect(outcome.result).toBeUndefined();
  setResponse('GET /api/uploads/one', [200, upload({ state: 'checked' })]);
  setResponse('POST /api/uploads/one/complete', taken);
  await jest.advanceTimersByTimeAsync(1000);
  expect(outcome.result).toMatchObject({ code: 'DUPLICATE_NAMES' });
});
