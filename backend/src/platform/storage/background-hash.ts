import { Worker } from 'node:worker_threads';

/** Runs in a thread of its own; a text and no file, so that it is found wherever the product is built to. */
const program = `
const { parentPort } = require('node:worker_threads');
const { createHash } = require('node:crypto');
const hashes = new Map();
parentPort.on('message', ({ id, bytes, end }) => {
  const hash = hashes.get(id) ?? createHash('sha256');
  if (bytes) hash.update(bytes);
  if (end) hashes.delete(id);
  else hashes.set(id, hash);
  parentPort.postMessage(end ? hash.digest('hex') : '');
});`;

interface Question {
  readonly id: number;
  readonly bytes?: Uint8Array;
  readonly end?: boolean;
}

/** The thread, and who waits for its answers, which come in the order of the questions. */
class HashThread {
  private static current: HashThread | null = null;
  private readonly waiting: PromiseWithResolvers<string>[] = [];
  private readonly worker = new Worker(program, { eval: true });

  private constructor() {
    this.worker.unref();
    this.worker.on('message', (digest: string) => this.waiting.shift()?.resolve(digest));
    this.worker.on('error', (error) => this.fail(error));
    this.worker.on('exit', () => this.fail(new Error('The thread that hashes has ended.')));
  }

  static get(): HashThread {
    return (HashThread.current ??= new HashThread());
  }

  ask(question: Question): Promise<string> {
    const answer = Promise.withResolvers<string>();
    this.waiting.push(answer);
    this.worker.postMessage(question);
    return answer.promise;
  }

  private fail(error: unknown): void {
    if (HashThread.current === this) HashThread.current = null;
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }
}

let last = 0;

/**
 * The SHA-256 of what comes in pieces, made beside the thread that serves: of 100 MB it takes 90 ms, in which nobody
 * else would be answered.
 */
export class BackgroundHash {
  private readonly id = ++last;
  private readonly thread = HashThread.get();

  /**
   * Adds bytes of a SharedArrayBuffer, which are not copied: they must stay as they are until it resolves.
   * @throws Error when the thread has died
   */
  async update(bytes: Uint8Array): Promise<void> {
    await this.thread.ask({ id: this.id, bytes });
  }

  /** The digest in lower-case hex; nothing can be added after that. Must be asked for, also when nobody needs it. */
  digest(): Promise<string> {
    return this.thread.ask({ id: this.id, end: true });
  }
}
