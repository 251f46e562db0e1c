import { ApiError, NETWORK } from '../../../../shared/api/api-error';
import { FRONT_LIMIT, frontLimit } from '../../../../shared/api/front-limit';
import type { QueueOptions } from './queue-options';
import type { StoredFile, UploadItem } from './upload-item';
import { UploadQueue } from './upload-queue';

const target = { zoneId: 7, folderId: null };
const small = (...names: string[]) => names.map((name) => new File(['12345'], name));
const large = (name: string) => new File([new Uint8Array(2 ** 20 + 1)], name);
const many = (count: number) => small(...Array.from({ length: count }, (_, n) => `f${n}`));

interface Batch {
  names: string[];
  key: string;
  report: Parameters<NonNullable<QueueOptions['sendBatch']>>[2];
  signal: AbortSignal;
  arrive: () => void;
  fail: (error: unknown) => void;
}

/** A queue whose requests the test ends by hand. */
function setUp() {
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
    onUnwanted: (fileIds) => unwanted.push(...fileIds),
  });
  const states = () => Object.fromEntries(queue.snapshot().map(({ file, state }) => [file.name, state]));
  const itemOf = (name: string) => queue.snapshot().find(({ file }) => file.name === name)!;
  return { queue, batches, alone, unwanted, states, itemOf, idOf };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));
const refusal = (code: string, body: object = {}) => new ApiError(409, code, '', 'r', body as Record<string, unknown>);

describe('small files', () => {
  it('go together, at most fifty and 8 MB in one request, three requests at a time', async () => {
    const { queue, batches, states } = setUp();
    queue.add(target, many(170));
    expect(batches.map(({ names }) => names.length)).toEqual([50, 50, 50]);
    batches[0]!.arrive();
    await settle();
    expect(batches[3]!.names).toHaveLength(20);
    expect(states()).toMatchObject({ f0: 'completed', f49: 'completed', f50: 'uploading', f169: 'uploading' });
    const heavy = setUp();
    heavy.queue.add(
      target,
      Array.from({ length: 10 }, (_, n) => new File([new Uint8Array(2 ** 20)], `m${n}`)),
    );
    expect(heavy.batches.map(({ names }) => names.length)).toEqual([8, 2]);
  });

  it('leave large ones, other folders and a name that is there already to requests of their own', () => {
    const { queue, batches, alone } = setUp();
    queue.add(target, [...small('a', 'A', 'b'), large('c')]);
    queue.add({ zoneId: 7, folderId: 3 }, small('d', 'e'));
    expect(batches.map(({ names }) => names)).toEqual([['a', 'b']]);
    expect(alone).toEqual(['A', 'c']);
  });

  it('go in two requests when a folder takes their names for one', () => {
    const { queue, batches } = setUp();
    queue.add(target, small('ISI', 'ısı', 'STRAẞE', 'strasse', 'ΑΣ', 'ασ'));
    expect(batches.map(({ names }) => names)).toEqual([
      ['ISI', 'STRAẞE', 'ΑΣ'],
      ['ısı', 'strasse', 'ασ'],
    ]);
  });

  it('show how much of them has left', () => {
    const { queue, batches, itemOf } = setUp();
    queue.add(target, small('a', 'b'));
    batches[0]!.report({ sent: 0.4 });
    expect([itemOf('a').sent, itemOf('b').sent]).toEqual([0.4, 0.4]);
  });

  it('whose names are taken wait for a decision, and the others go on', async () => {
    const { queue, batches, states, alone } = setUp();
    queue.add(target, small('a', 'Ödev', 'c'));
    batches[0]!.fail(refusal('DUPLICATE_NAMES', { names: ['ödev'] }));
    await settle();
    expect(states()).toEqual({ a: 'uploading', Ödev: 'duplicate', c: 'uploading' });
    expect(batches[1]!.names).toEqual(['a', 'c']);
    expect(batches[1]!.key).not.toBe(batches[0]!.key);
    queue.renameDuplicates();
    // A number is given once for sure only to a file that goes alone.
    expect(alone).toEqual(['Ödev']);
  });

  it('go one by one when one of them may be why all were refused', async () => {
    const { queue, batches, alone } = setUp();
    queue.add(target, small('a', 'b?', 'c'));
    batches[0]!.fail(refusal('INVALID_NAME'));
    await settle();
    expect(alone).toEqual(['a', 'b?', 'c']);
  });

  it('go one by one, and then in smaller requests, when a proxy in front refuses them together', async () => {
    const { queue, batches, alone } = setUp();
    const middle = (name: string) => new File([new Uint8Array(400 * 1024)], name);
    queue.add(target, ['a', 'b', 'c', 'd'].map(middle));
    expect(batches[0]!.names).toEqual(['a', 'b', 'c', 'd']);
    frontLimit.refuse(1600 * 1024);
    batches[0]!.fail(new ApiError(413, FRONT_LIMIT, ''));
    await settle();
    expect(alone).toEqual(['a', 'b', 'c']);
    const later = setUp();
    later.queue.add(target, ['e', 'f', 'g'].map(middle));
    expect(later.batches.map(({ names }) => names)).toEqual([['e', 'f']]);
    frontLimit.reset();
  });

  it('are all refused for what concerns all of them', async () => {
    const { queue, batches, states, itemOf } = setUp();
    queue.add(target, small('a', 'b'));
    batches[0]!.fail(refusal('PLAN_LIMIT'));
    await settle();
    expect(states()).toEqual({ a: 'error', b: 'error' });
    queue.retryFailed();
    expect(batches[1]!.key).not.toBe(batches[0]!.key);
    expect(itemOf('a').error).toBeUndefined();
  });

  it('bear the same key when it is not known what became of their request', async () => {
    const { queue, batches } = setUp();
    queue.add(target, small('a', 'b'));
    batches[0]!.fail(new ApiError(0, NETWORK, ''));
    await settle();
    queue.add(target, small('c'));
    queue.retryFailed();
    const again = batches.find(({ names }, at) => at > 0 && names.includes('a'))!;
    expect(again).toMatchObject({ names: ['a', 'b'], key: batches[0]!.key });
  });

  it('wait for their next turn when one of them is cancelled or paused in time', async () => {
    const { queue, batches, states, itemOf, unwanted } = setUp();
    queue.add(target, small('a', 'b', 'c'));
    batches[0]!.report({ sent: 0.5 });
    queue.cancel(itemOf('b').id);
    await settle();
    expect(batches[0]!.signal.aborted).toBe(true);
    expect(batches[1]!.names).toEqual(['a', 'c']);
    queue.pause(itemOf('a').id);
    await settle();
    expect(states()).toEqual({ a: 'paused', c: 'uploading' });
    expect(unwanted).toEqual([]);
  });

  it('that were cancelled when all had left are taken away once they have arrived', async () => {
    const { queue, batches, states, itemOf, unwanted, idOf } = setUp();
    queue.add(target, small('a', 'b'));
    batches[0]!.report({ sent: 1 });
    queue.cancel(itemOf('b').id);
    expect(batches[0]!.signal.aborted).toBe(false);
    batches[0]!.arrive();
    await settle();
    expect(unwanted).toEqual([idOf('b')]);
    expect(states()).toEqual({ a: 'completed' });
  });
});
