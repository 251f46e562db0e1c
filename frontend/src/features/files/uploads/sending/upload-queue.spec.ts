import { ApiError, NETWORK_ERROR } from '../../../../shared/api/api-error';
import { isRetryable, computeTotals, type UploadItem } from './upload-item';
import type { ProgressReport } from './queue-options';
import { UploadQueue } from './upload-queue';

const target = { zoneId: 7, folderId: null };
const networkError = new ApiError(0, NETWORK_ERROR, '');
const filesNamed = (...names: string[]) => names.map((name) => new File(['12345'], name));

interface PendingRequest {
  item: UploadItem;
  progress: (sent: number) => void;
  report: (report: ProgressReport) => void;
  signal: AbortSignal;
  arrive: () => void;
  fail: (error: unknown) => void;
}

/** Creates a queue whose requests the test completes by hand and whose clock it sets. */
function createQueue() {
  const sendings: PendingRequest[] = [];
  const stored: string[] = [];
  const dropped: string[] = [];
  const time = { now: 0 };
  const queue = new UploadQueue({
    now: () => time.now,
    onStored: ({ file }) => stored.push(file.name),
    onDiscarded: ({ file }) => dropped.push(file.name),
    send: (item, report, signal) =>
      new Promise((resolve, reject) => {
        const progress = (sent: number) => report({ sent });
        sendings.push({ item, progress, report, signal, arrive: resolve, fail: reject });
        signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
      }),
  });
  const states = () => Object.fromEntries(queue.getSnapshot().map(({ file, state }) => [file.name, state]));
  const idOf = (name: string) => queue.getSnapshot().find(({ file }) => file.name === name)!.id;
  const sent = (name: string) => sendings.findLast(({ item }) => item.file.name === name)!;
  return { queue, sendings, stored, dropped, states, idOf, sent, time };
}

/** Waits until all pending promises have settled. */
const flushPromises = () => new Promise((resolve) => setTimeout(resolve));

describe('UploadQueue', () => {
  it('sends three files at a time in the order of selection', async () => {
    const { queue, sendings, states, sent, stored } = createQueue();
    queue.add(target, filesNamed('a', 'b', 'c', 'd', 'e'));
    expect(sendings.map(({ item }) => item.file.name)).toEqual(['a', 'b', 'c']);
    expect(states()).toEqual({ a: 'uploading', b: 'uploading', c: 'uploading', d: 'pending', e: 'pending' });
    sent('b').arrive();
    await flushPromises();
    expect(sendings.map(({ item }) => item.file.name)).toEqual(['a', 'b', 'c', 'd']);
    expect(states()).toMatchObject({ b: 'completed', d: 'uploading', e: 'pending' });
    expect(stored).toEqual(['b']);
  });

  it('reports the progress of each file and of all files', () => {
    const { queue, sent } = createQueue();
    queue.add(target, filesNamed('a', 'b'));
    sent('a').progress(0.4);
    expect(queue.getSnapshot()[0]).toMatchObject({ state: 'uploading', sent: 0.4 });
    expect(computeTotals(queue.getSnapshot())).toMatchObject({ sentBytes: 2, totalBytes: 10, uploading: 2 });
  });

  it('measures the speed over the last seconds', () => {
    const { queue, sent, time } = createQueue();
    queue.add(target, [new File([new Uint8Array(10_000)], 'a')]);
    const sendAfter = (ms: number, part: number) => {
      time.now = ms;
      sent('a').progress(part);
    };
    sendAfter(0, 0.1);
    expect(queue.getSpeed()).toBe(0);
    sendAfter(1000, 0.2);
    expect(queue.getSpeed()).toBe(1000);
    sendAfter(6000, 0.3);
    sendAfter(7000, 0.8);
    expect(queue.getSpeed()).toBe(5000);
  });

  it('rejects a file that is too large without sending it', () => {
    const maxFileBytes = 2 ** 31;
    const { queue, sendings } = createQueue();
    const file = new File([], 'film.mov');
    Object.defineProperty(file, 'size', { value: maxFileBytes + 1 });
    const fits = new File([], 'fits.mov');
    Object.defineProperty(fits, 'size', { value: maxFileBytes });
    queue.add(target, [file, fits], undefined, maxFileBytes);
    const [rejected] = queue.getSnapshot();
    expect(rejected).toMatchObject({ state: 'error', error: { code: 'FILE_TOO_LARGE' }, maxFileBytes });
    expect(isRetryable(rejected!)).toBe(false);
    expect(sendings.map(({ item }) => item.file.name)).toEqual(['fits.mov']);
    expect(computeTotals(queue.getSnapshot()).totalBytes).toBe(maxFileBytes);
  });

  it('asks about a known duplicate name and sends the other files meanwhile', () => {
    const { queue, sendings, states } = createQueue();
    queue.add(target, filesNamed('taken', 'free'), (name) => name === 'taken');
    expect(states()).toEqual({ taken: 'duplicate', free: 'uploading' });
    queue.resolveDuplicates('rename');
    expect(states()).toMatchObject({ taken: 'uploading' });
    expect(sendings.map(({ item }) => [item.file.name, item.onConflict])).toEqual([
      ['free', 'refuse'],
      ['taken', 'rename'],
    ]);
  });

  it('asks about a duplicate name that only the server knows', async () => {
    const { queue, states, sent, dropped } = createQueue();
    queue.add(target, filesNamed('a'));
    sent('a').fail(new ApiError(409, 'DUPLICATE_NAMES', 'Taken'));
    await flushPromises();
    expect(states()).toEqual({ a: 'duplicate' });
    expect(dropped).toEqual(['a']);
    queue.discardDuplicates();
    expect(queue.getSnapshot()).toEqual([]);
  });

  it('keeps failed files and sends them again on request', async () => {
    const { queue, states, sent, idOf, stored } = createQueue();
    queue.add(target, filesNamed('a', 'b'));
    sent('a').fail(new ApiError(0, NETWORK_ERROR, ''));
    sent('b').arrive();
    await flushPromises();
    expect(states()).toEqual({ a: 'error', b: 'completed' });
    expect(queue.getSnapshot()[0]).toMatchObject({ sent: 0, error: { code: NETWORK_ERROR } });
    queue.retry(idOf('b'));
    expect(states()).toMatchObject({ b: 'completed' });
    queue.retryFailed();
    expect(queue.getSnapshot()[0]).toMatchObject({ state: 'uploading', error: undefined });
    sent('a').arrive();
    await flushPromises();
    expect(stored).toEqual(['b', 'a']);
  });

  it('retries only unauthenticated uploads after the user has signed in again', async () => {
    const { queue, states, sent } = createQueue();
    queue.add(target, filesNamed('a', 'b'));
    sent('a').fail(new ApiError(401, 'NOT_SIGNED_IN', 'Please sign in.'));
    sent('b').fail(new ApiError(413, 'FILE_TOO_LARGE', 'Too large'));
    await flushPromises();
    queue.retryUnauthenticated();
    expect(states()).toEqual({ a: 'uploading', b: 'error' });
  });

  it('aborts and removes a cancelled file and starts the next one', async () => {
    const { queue, states, sent, idOf, stored, dropped } = createQueue();
    queue.add(target, filesNamed('a', 'b', 'c', 'd'));
    queue.cancel(idOf('b'));
    expect(sent('b').signal.aborted).toBe(true);
    await flushPromises();
    expect(states()).toEqual({ a: 'uploading', c: 'uploading', d: 'uploading' });
    expect(dropped).toEqual(['b']);
    sent('b').progress(0.9);
    sent('b').arrive();
    await flushPromises();
    expect(stored).toEqual([]);
  });

  it('cancels everything that has not been stored', async () => {
    const { queue, states, sendings, sent } = createQueue();
    queue.add(target, filesNamed('a', 'b', 'c', 'd', 'e'));
    sent('a').arrive();
    await flushPromises();
    queue.cancelAll();
    await flushPromises();
    expect(states()).toEqual({ a: 'completed' });
    expect(sendings.slice(1).every(({ signal }) => signal.aborted)).toBe(true);
    expect(sendings).toHaveLength(4);
    queue.clearFinished();
    expect(queue.getSnapshot()).toEqual([]);
  });

  it('pauses a file, lets another one go first and resumes it later', async () => {
    const { queue, states, sent, sendings, idOf, dropped } = createQueue();
    queue.add(target, filesNamed('a', 'b', 'c', 'd'));
    sent('a').progress(0.4);
    queue.pause(idOf('a'));
    expect(sent('a').signal.aborted).toBe(true);
    await flushPromises();
    expect(states()).toEqual({ a: 'paused', b: 'uploading', c: 'uploading', d: 'uploading' });
    sent('a').progress(0.9);
    expect(queue.getSnapshot()[0]).toMatchObject({ sent: 0.4 });
    expect(computeTotals(queue.getSnapshot())).toMatchObject({ sentBytes: 2, totalBytes: 20, paused: 1 });
    queue.resume(idOf('a'));
    expect(states()).toMatchObject({ a: 'pending' });
    sent('b').arrive();
    await flushPromises();
    expect(states()).toMatchObject({ a: 'uploading' });
    expect(sendings).toHaveLength(5);
    expect(dropped).toEqual([]);
  });

  it('pauses and resumes all unfinished files', async () => {
    const { queue, states, sendings, sent } = createQueue();
    queue.add(target, filesNamed('a', 'b', 'c', 'd'));
    sent('a').arrive();
    await flushPromises();
    queue.pauseAll();
    await flushPromises();
    expect(states()).toEqual({ a: 'completed', b: 'paused', c: 'paused', d: 'paused' });
    queue.resumeAll();
    expect(states()).toEqual({ a: 'completed', b: 'uploading', c: 'uploading', d: 'uploading' });
    expect(sendings).toHaveLength(7);
  });

  it('does not pause a file whose bytes have all been sent', () => {
    const { queue, sent, states, idOf } = createQueue();
    queue.add(target, filesNamed('a', 'b'));
    sent('a').progress(1);
    queue.pause(idOf('a'));
    queue.pauseAll();
    expect(states()).toEqual({ a: 'uploading', b: 'paused' });
  });

  it('ends one attempt for a file before starting the next', async () => {
    const { queue, sendings, idOf } = createQueue();
    queue.add(target, filesNamed('a'));
    queue.pause(idOf('a'));
    queue.resume(idOf('a'));
    expect(sendings).toHaveLength(1);
    await flushPromises();
    expect(sendings).toHaveLength(2);
  });

  it('reports a lost connection and keeps the progress', () => {
    const { queue, sent } = createQueue();
    queue.add(target, filesNamed('a'));
    sent('a').progress(0.6);
    sent('a').report({ waitReason: networkError });
    expect(queue.getSnapshot()[0]).toMatchObject({ state: 'uploading', waitReason: networkError, sent: 0.6 });
    sent('a').report({ sent: 0.7, waitReason: undefined });
    expect(queue.getSnapshot()[0]).toMatchObject({ waitReason: undefined, sent: 0.7 });
  });

  describe('with uploads interrupted by a reload', () => {
    const file = { name: 'a', size: 5, type: '', lastModified: 9 };
    const chosen = (options: object = {}) => new File(['12345'], 'a', { lastModified: 9, ...options });

    it('waits for their files and accepts only matching ones', () => {
      const { queue, states, sendings, idOf } = createQueue();
      queue.addInterrupted([{ file, target, onConflict: 'rename', sent: 0.4 }]);
      expect(states()).toEqual({ a: 'interrupted' });
      expect(queue.reattachFile(idOf('a'), chosen({ lastModified: 8 }))).toBe(false);
      expect(queue.reattachFile(idOf('a'), new File(['123456'], 'a', { lastModified: 9 }))).toBe(false);
      expect(sendings).toEqual([]);
      expect(queue.reattachFile(idOf('a'), chosen())).toBe(true);
      expect(sendings.map(({ item }) => [item.file, item.onConflict])).toEqual([[expect.any(File), 'rename']]);
      expect(queue.getSnapshot()[0]).toMatchObject({ state: 'uploading', sent: 0.4 });
    });

    it('resumes an upload when its file is chosen for the same folder', () => {
      const { queue, states, sendings } = createQueue();
      queue.addInterrupted([{ file, target, onConflict: 'refuse', sent: 0.4 }]);
      queue.add({ zoneId: 7, folderId: 1 }, [chosen()]);
      expect(queue.getSnapshot().map(({ state }) => state)).toEqual(['interrupted', 'uploading']);
      queue.add(target, [chosen()], () => true);
      expect(queue.getSnapshot().map(({ state }) => state)).toEqual(['uploading', 'uploading']);
      expect(sendings).toHaveLength(2);
      expect(states()).toEqual({ a: 'uploading' });
    });

    it('discards them on cancellation', async () => {
      const { queue, idOf, dropped } = createQueue();
      queue.addInterrupted([{ file, target, onConflict: 'refuse', sent: 0.4 }]);
      queue.cancel(idOf('a'));
      await flushPromises();
      expect(queue.getSnapshot()).toEqual([]);
      expect(dropped).toEqual(['a']);
    });
  });

  it('notifies listeners of every change and returns the same snapshot otherwise', () => {
    const { queue, sent } = createQueue();
    let callCount = 0;
    const unsubscribe = queue.subscribe(() => callCount++);
    queue.add(target, filesNamed('a'));
    const before = queue.getSnapshot();
    expect(queue.getSnapshot()).toBe(before);
    const initialCallCount = callCount;
    sent('a').progress(0.5);
    expect(callCount).toBe(initialCallCount + 1);
    expect(queue.getSnapshot()).not.toBe(before);
    unsubscribe();
    sent('a').progress(0.6);
    expect(callCount).toBe(initialCallCount + 1);
  });
});
