import { ApiError, NETWORK_ERROR } from '../../../../shared/api/api-error';
import { PROXY_BODY_LIMIT, proxyBodyLimit } from '../../../../shared/api/proxy-body-limit';
import type { UploadQueueOptions } from './queue-options';
import type { StoredFile, UploadItem } from './upload-item';
import { UploadQueue } from './upload-queue';

const target = { zoneId: 7, folderId: null };
const smallFiles = (...names: string[]) => names.map((name) => new File(['12345'], name));
const largeFile = (name: string) => new File([new Uint8Array(2 ** 20 + 1)], name);
const manySmallFiles = (count: number) => smallFiles(...Array.from({ length: count }, (_, n) => `f${n}`));

interface Batch {
  names: string[];
  key: string;
  report: Parameters<NonNullable<UploadQueueOptions['sendBatch']>>[2];
  signal: AbortSignal;
  arrive: () => void;
  fail: (error: unknown) => void;
}

/** Creates a queue whose requests the test completes by hand. */
function createQueue() {
  const batches: Batch[] = [];
  const alone: string[] = [];
  const unwanted: number[] = [];
  const ids = new Map<string, number>();
  const idOf = (name: string) => ids.get(name) ?? ids.set(name, ids.size + 1).get(name)!;
  const asStored = (items: readonly UploadItem[]): StoredFile[] =>
    items.map(({ file }) => ({ id: idOf(file.name), originalName: file.name }));
  const queue = new UploadQueue({
    send: ({ file }) => {
      alone.push(file.name);
      return new Promise(() => undefined);
    },
    sendBatch: (items, key, report, signal) =>
      new Promise((resolve, reject) => {
        const names = items.map(({ file }) => file.name);
        const arrive = () => resolve(asStored(items));
        batches.push({ names, key, report, signal, arrive, fail: reject });
        signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
      }),
    onCancelledStored: (fileIds) => unwanted.push(...fileIds),
  });
  const states = () => Object.fromEntries(queue.getSnapshot().map(({ file, state }) => [file.name, state]));
  const itemOf = (name: string) => queue.getSnapshot().find(({ file }) => file.name === name)!;
  return { queue, batches, alone, unwanted, states, itemOf, idOf };
}

const flushPromises = () => new Promise((resolve) => setTimeout(resolve));
const conflictError = (code: string, body: object = {}) =>
  new ApiError(409, code, '', 'r', body as Record<string, unknown>);

describe('Batched uploads of small files', () => {
  it('sends at most 50 files and 8 MB per request, three requests at a time', async () => {
    const { queue, batches, states } = createQueue();
    queue.add(target, manySmallFiles(170));
    expect(batches.map(({ names }) => names.length)).toEqual([50, 50, 50]);
    batches[0]!.arrive();
    await flushPromises();
    expect(batches[3]!.names).toHaveLength(20);
    expect(states()).toMatchObject({ f0: 'completed', f49: 'completed', f50: 'uploading', f169: 'uploading' });
    const oneMegabyteFiles = createQueue();
    oneMegabyteFiles.queue.add(
      target,
      Array.from({ length: 10 }, (_, n) => new File([new Uint8Array(2 ** 20)], `m${n}`)),
    );
    expect(oneMegabyteFiles.batches.map(({ names }) => names.length)).toEqual([8, 2]);
  });

  it('sends large files, other folders and duplicate names in separate requests', () => {
    const { queue, batches, alone } = createQueue();
    queue.add(target, [...smallFiles('a', 'A', 'b'), largeFile('c')]);
    queue.add({ zoneId: 7, folderId: 3 }, smallFiles('d', 'e'));
    expect(batches.map(({ names }) => names)).toEqual([['a', 'b']]);
    expect(alone).toEqual(['A', 'c']);
  });

  it('splits names that the server treats as equal over two requests', () => {
    const { queue, batches } = createQueue();
    queue.add(target, smallFiles('ISI', 'ısı', 'STRAẞE', 'strasse', 'ΑΣ', 'ασ'));
    expect(batches.map(({ names }) => names)).toEqual([
      ['ISI', 'STRAẞE', 'ΑΣ'],
      ['ısı', 'strasse', 'ασ'],
    ]);
  });

  it('reports the progress of a request for all its files', () => {
    const { queue, batches, itemOf } = createQueue();
    queue.add(target, smallFiles('a', 'b'));
    batches[0]!.report({ sent: 0.4 });
    expect([itemOf('a').sent, itemOf('b').sent]).toEqual([0.4, 0.4]);
  });

  it('asks about duplicate names and sends the other files', async () => {
    const { queue, batches, states, alone } = createQueue();
    queue.add(target, smallFiles('a', 'Ödev', 'c'));
    batches[0]!.fail(conflictError('DUPLICATE_NAMES', { names: ['ödev'] }));
    await flushPromises();
    expect(states()).toEqual({ a: 'uploading', Ödev: 'duplicate', c: 'uploading' });
    expect(batches[1]!.names).toEqual(['a', 'c']);
    expect(batches[1]!.key).not.toBe(batches[0]!.key);
    queue.resolveDuplicates('rename');
    // Only a file that is sent alone is guaranteed to get its number once.
    expect(alone).toEqual(['Ödev']);
  });

  it('sends the files one by one when a single one may have caused the rejection', async () => {
    const { queue, batches, alone } = createQueue();
    queue.add(target, smallFiles('a', 'b?', 'c'));
    batches[0]!.fail(conflictError('INVALID_NAME'));
    await flushPromises();
    expect(alone).toEqual(['a', 'b?', 'c']);
  });

  it('sends the files one by one, then in smaller batches, after a proxy rejects the request size', async () => {
    const { queue, batches, alone } = createQueue();
    const middle = (name: string) => new File([new Uint8Array(400 * 1024)], name);
    queue.add(target, ['a', 'b', 'c', 'd'].map(middle));
    expect(batches[0]!.names).toEqual(['a', 'b', 'c', 'd']);
    proxyBodyLimit.recordRejection(1600 * 1024);
    batches[0]!.fail(new ApiError(413, PROXY_BODY_LIMIT, ''));
    await flushPromises();
    expect(alone).toEqual(['a', 'b', 'c']);
    const later = createQueue();
    later.queue.add(target, ['e', 'f', 'g'].map(middle));
    expect(later.batches.map(({ names }) => names)).toEqual([['e', 'f']]);
    proxyBodyLimit.reset();
  });

  it('fails all files of a batch when the error concerns all of them', async () => {
    const { queue, batches, states, itemOf } = createQueue();
    queue.add(target, smallFiles('a', 'b'));
    batches[0]!.fail(conflictError('PLAN_LIMIT'));
    await flushPromises();
    expect(states()).toEqual({ a: 'error', b: 'error' });
    queue.retryFailed();
    expect(batches[1]!.key).not.toBe(batches[0]!.key);
    expect(itemOf('a').error).toBeUndefined();
  });

  it('reuses the idempotency key when the outcome of the request is unknown', async () => {
    const { queue, batches } = createQueue();
    queue.add(target, smallFiles('a', 'b'));
    batches[0]!.fail(new ApiError(0, NETWORK_ERROR, ''));
    await flushPromises();
    queue.add(target, smallFiles('c'));
    queue.retryFailed();
    const again = batches.find(({ names }, index) => index > 0 && names.includes('a'))!;
    expect(again).toMatchObject({ names: ['a', 'b'], key: batches[0]!.key });
  });

  it('requeues the other files when one is cancelled or paused before all bytes are sent', async () => {
    const { queue, batches, states, itemOf, unwanted } = createQueue();
    queue.add(target, smallFiles('a', 'b', 'c'));
    batches[0]!.report({ sent: 0.5 });
    queue.cancel(itemOf('b').id);
    await flushPromises();
    expect(batches[0]!.signal.aborted).toBe(true);
    expect(batches[1]!.names).toEqual(['a', 'c']);
    queue.pause(itemOf('a').id);
    await flushPromises();
    expect(states()).toEqual({ a: 'paused', c: 'uploading' });
    expect(unwanted).toEqual([]);
  });

  it('deletes a file on the server when it was cancelled after all bytes were sent', async () => {
    const { queue, batches, states, itemOf, unwanted, idOf } = createQueue();
    queue.add(target, smallFiles('a', 'b'));
    batches[0]!.report({ sent: 1 });
    queue.cancel(itemOf('b').id);
    expect(batches[0]!.signal.aborted).toBe(false);
    batches[0]!.arrive();
    await flushPromises();
    expect(unwanted).toEqual([idOf('b')]);
    expect(states()).toEqual({ a: 'completed' });
  });
});
