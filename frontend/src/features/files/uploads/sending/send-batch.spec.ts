import { accountHeader } from '../../../../shared/account/account-header';
import { circuitBreaker } from './retry/circuit-breaker';
import type { ProgressReport } from './queue-options';
import { sendBatch } from './send-batch';

/** Fake `XMLHttpRequest`: the test controls the server and the connection. */
class FakeRequest {
  static all: FakeRequest[] = [];
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  readonly headers: Record<string, string> = {};
  status = 0;
  responseText = '';
  answered: Record<string, string> = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onloadend?: () => void;

  open = (): void => undefined;
  setRequestHeader = (name: string, value: string): void => void (this.headers[name] = value);
  getResponseHeader = (name: string): string | null => this.answered[name] ?? null;
  send = (): void => void FakeRequest.all.push(this);
  abort = (): void => {
    this.onabort?.();
    this.onloadend?.();
  };

  respond(status: number, body: unknown, headers: Record<string, string> = {}): void {
    Object.assign(this, { status, responseText: JSON.stringify(body), answered: headers });
    this.onload?.();
    this.onloadend?.();
  }

  failNetwork(): void {
    this.onerror?.();
    this.onloadend?.();
  }
}

const originalXMLHttpRequest = globalThis.XMLHttpRequest;
beforeEach(() => {
  jest.useFakeTimers();
  FakeRequest.all = [];
  globalThis.XMLHttpRequest = FakeRequest as unknown as typeof XMLHttpRequest;
  accountHeader.set(5);
});
afterEach(() => {
  globalThis.XMLHttpRequest = originalXMLHttpRequest;
  accountHeader.reset();
  circuitBreaker.reset();
  jest.useRealTimers();
});

function startSending() {
  const target = { zoneId: 7, folderId: null };
  const file = new File(['12345'], 'a.txt');
  const items = [
    { id: 1, groupId: 1, file, target, sent: 0, onConflict: 'refuse' as const, state: 'uploading' as const },
  ];
  const reports: ProgressReport[] = [];
  const abort = new AbortController();
  const onProgress = (report: ProgressReport) => reports.push(report);
  const sending = sendBatch({ items, target, key: 'key-1', onProgress, signal: abort.signal });
  return { done: sending, reports, abort };
}

const stored = [{ id: 1, originalName: 'a.txt' }];

describe('sendBatch', () => {
  it('sends the account and the same idempotency key with each attempt', async () => {
    const { done: sending } = startSending();
    await jest.advanceTimersByTimeAsync(0);
    FakeRequest.all[0]!.failNetwork();
    await jest.advanceTimersByTimeAsync(500);
    FakeRequest.all[1]!.respond(201, stored);
    expect(await sending).toEqual(stored);
    const headers = FakeRequest.all.map((request) => request.headers);
    for (const header of headers) expect(header).toMatchObject({ 'X-Account': '5', 'Idempotency-Key': 'key-1' });
    expect(headers).toHaveLength(2);
  });

  it('reports until when the server asks to wait, then resumes', async () => {
    const { done: sending, reports } = startSending();
    const startedAt = Date.now();
    await jest.advanceTimersByTimeAsync(0);
    FakeRequest.all[0]!.respond(429, { statusCode: 429, code: 'TOO_MANY_REQUESTS' }, { 'retry-after': '12' });
    await jest.advanceTimersByTimeAsync(11_900);
    expect(reports.at(-1)).toMatchObject({ resumesAt: startedAt + 12_000, waitReason: { code: 'TOO_MANY_REQUESTS' } });
    expect(FakeRequest.all).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(100);
    FakeRequest.all[1]!.respond(201, stored);
    await sending;
    expect(circuitBreaker.isClosed).toBe(true);
  });

  it('lets other requests probe when it is aborted', async () => {
    const { done: sending, abort } = startSending();
    const stopped = expect(sending).rejects.toThrow('abort');
    await jest.advanceTimersByTimeAsync(0);
    FakeRequest.all[0]!.respond(503, {});
    await jest.advanceTimersByTimeAsync(0);
    const next = startSending();
    abort.abort();
    await stopped;
    await jest.advanceTimersByTimeAsync(500);
    FakeRequest.all[1]!.respond(201, stored);
    expect(await next.done).toEqual(stored);
  });
});
