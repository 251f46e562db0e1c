import { openedFor } from '../../../../shared/account/opened-for';
import { gate } from './trying/gate';
import type { Report } from './queue-options';
import { sendBatch } from './send-batch';

/** Stands in for the browser's: the test says what the server and the line do. */
class Request {
  static all: Request[] = [];
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
  send = (): void => void Request.all.push(this);
  abort = (): void => {
    this.onabort?.();
    this.onloadend?.();
  };

  answer(status: number, body: unknown, headers: Record<string, string> = {}): void {
    Object.assign(this, { status, responseText: JSON.stringify(body), answered: headers });
    this.onload?.();
    this.onloadend?.();
  }

  lose(): void {
    this.onerror?.();
    this.onloadend?.();
  }
}

const real = globalThis.XMLHttpRequest;
beforeEach(() => {
  jest.useFakeTimers();
  Request.all = [];
  globalThis.XMLHttpRequest = Request as unknown as typeof XMLHttpRequest;
  openedFor.set(5);
});
afterEach(() => {
  globalThis.XMLHttpRequest = real;
  openedFor.reset();
  gate.reset();
  jest.useRealTimers();
});

function begin() {
  const target = { zoneId: 7, folderId: null };
  const file = new File(['12345'], 'a.txt');
  const items = [{ id: 1, drop: 1, file, target, sent: 0, rename: false, state: 'uploading' as const }];
  const reports: Report[] = [];
  const abort = new AbortController();
  const onReport = (report: Report) => reports.push(report);
  const done = sendBatch({ items, target, key: 'key-1', onReport, signal: abort.signal });
  return { done, reports, abort };
}

const stored = [{ id: 1, originalName: 'a.txt' }];

describe('several files in one request', () => {
  it('name the account of the page and bear the same key at each try, so that nothing is stored for others, or twice', async () => {
    const { done } = begin();
    await jest.advanceTimersByTimeAsync(0);
    Request.all[0]!.lose();
    await jest.advanceTimersByTimeAsync(500);
    Request.all[1]!.answer(201, stored);
    expect(await done).toEqual(stored);
    const headers = Request.all.map((request) => request.headers);
    for (const one of headers) expect(one).toMatchObject({ 'X-Account': '5', 'Idempotency-Key': 'key-1' });
    expect(headers).toHaveLength(2);
  });

  it('tell until when the server rests, and go on then', async () => {
    const { done, reports } = begin();
    const begun = Date.now();
    await jest.advanceTimersByTimeAsync(0);
    Request.all[0]!.answer(429, { statusCode: 429, code: 'TOO_MANY_REQUESTS' }, { 'retry-after': '12' });
    await jest.advanceTimersByTimeAsync(11_900);
    expect(reports.at(-1)).toMatchObject({ goesOnAt: begun + 12_000, waitsFor: { code: 'TOO_MANY_REQUESTS' } });
    expect(Request.all).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(100);
    Request.all[1]!.answer(201, stored);
    await done;
    expect(gate.isOpen).toBe(true);
  });

  it('leave the way to others when they are stopped', async () => {
    const { done, abort } = begin();
    const stopped = expect(done).rejects.toThrow('abort');
    await jest.advanceTimersByTimeAsync(0);
    Request.all[0]!.answer(503, {});
    await jest.advanceTimersByTimeAsync(0);
    const next = begin();
    abort.abort();
    await stopped;
    await jest.advanceTimersByTimeAsync(500);
    Request.all[1]!.answer(201, stored);
    expect(await next.done).toEqual(stored);
  });
});
