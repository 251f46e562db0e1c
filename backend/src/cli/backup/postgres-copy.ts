import { once } from 'node:events';
import type { Socket } from 'node:net';
import type pg from 'pg';

/** COPY support of the driver's connection, which exists but isn't declared in its types. */
interface CopyConnection {
  readonly stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** A running COPY operation, with the callbacks that the driver calls. */
abstract class CopyOperation {
  readonly done: Promise<number>;
  protected rows = 0;
  private resolve!: (rows: number) => void;
  private reject!: (error: Error) => void;
  private isFailed = false;

  constructor(private readonly sql: string) {
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  submit(connection: CopyConnection): void {
    connection.query(this.sql);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = Number(/^COPY (\d+)/.exec(text)?.[1] ?? 0);
  }

  handleError(error: Error): void {
    this.isFailed = true;
    this.reject(error);
  }

  handleReadyForQuery(): void {
    if (!this.isFailed) this.resolve(this.rows);
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}

class CopyOut extends CopyOperation {
  private buffered: Buffer[] = [];
  private size = 0;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    sql: string,
    private readonly chunkBytes: number,
    private readonly onChunk: (chunk: Buffer) => Promise<void>,
  ) {
    super(sql);
  }

  /** The server only sends whole rows, so a chunk never ends within one. */
  handleCopyData({ chunk }: { chunk: Buffer }, connection: CopyConnection): void {
    this.buffered.push(Buffer.from(chunk));
    this.size += chunk.length;
    if (this.size < this.chunkBytes) return;
    connection.stream.pause();
    this.flush();
    void this.writing.then(
      () => connection.stream.resume(),
      () => connection.stream.destroy(),
    );
  }

  async finish(): Promise<number> {
    const rows = await this.done;
    this.flush();
    await this.writing;
    return rows;
  }

  private flush(): void {
    if (this.size === 0) return;
    const chunk = Buffer.concat(this.buffered);
    this.buffered = [];
    this.size = 0;
    this.writing = this.writing.then(() => this.onChunk(chunk));
    // Reported by finish(); until then it must not be an unhandled rejection.
    this.writing.catch(() => undefined);
  }
}

class CopyIn extends CopyOperation {
  constructor(
    sql: string,
    private readonly source: AsyncIterable<Uint8Array>,
  ) {
    super(sql);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    void this.send(connection).catch((error: Error) => connection.sendCopyFail(error.message));
  }

  private async send(connection: CopyConnection): Promise<void> {
    for await (const chunk of this.source) {
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
    }
    connection.endCopyFrom();
  }
}

/**
 * Runs `COPY … TO STDOUT` and passes its bytes to `take` in chunks of about `chunkBytes`, each of whole rows, waiting
 * for `take` before reading on.
 * @returns the number of rows
 */
export function copyOut(
  client: pg.Client,
  sql: string,
  chunkBytes: number,
  take: (chunk: Buffer) => Promise<void>,
): Promise<number> {
  const copy = new CopyOut(sql, chunkBytes, take);
  client.query(copy as unknown as pg.Submittable);
  return copy.finish();
}

/** Runs `COPY … FROM STDIN` with the bytes of the source. @returns the number of rows */
export function copyIn(client: pg.Client, sql: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  const copy = new CopyIn(sql, source);
  client.query(copy as unknown as pg.Submittable);
  return copy.done;
}
