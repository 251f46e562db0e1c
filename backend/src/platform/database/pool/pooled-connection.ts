import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { PoolClient } from 'pg';
import type { StatementNames } from '../prepared-queries.js';
import { declaredStatementLimit, statementLimit } from './statement-limit.js';
import { timeouts } from './timeouts.js';

const BEGIN = /^\s*(begin|start transaction)\b/i;

/** The server is read-only: after a failover, an existing connection still leads to the former primary. */
const READ_ONLY_CODE = '25006';
/** The server terminates this session or all sessions, or is starting. */
const SESSION_TERMINATED_CODES = /^57P0[1-3]$/;

/** How long the holder of a lost connection has to release it, in milliseconds. */
const RELEASE_GRACE = 500;

/** Nothing arrives on the connection, and the server isn't working on its statement. */
class DeadConnectionError extends Error {
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('The connection to the database went silent and was given up.');
  }
}

/** A connection of a pool, as Kysely uses it. */
export class PooledConnection implements PostgresPoolClient {
  /** When the current statement was sent (`performance.now()`); null between statements. */
  sentAt: number | null = null;
  /** Limit of the current statement, in milliseconds. */
  statementLimit: number = timeouts.statement;
  /** Set when the connection is lost, or open but useless. It isn't used again. */
  isStale = false;
  private isDead = false;
  private onRelease: (() => void) | null = null;

  /** @param markAllStale is called when all connections that are open now lead to a demoted primary */
  constructor(
    private readonly client: PoolClient,
    private readonly statementNames: StatementNames,
    private readonly markAllStale: () => void,
  ) {
    // The current statement reports the error; without a listener, the process would end.
    client.on('error', () => undefined);
    // Kysely releases a connection when its transaction ends, but a transaction without a connection never ends. Each
    // would occupy a pool slot forever, and after a few restarts of PostgreSQL the pool would be exhausted.
    client.once('end', () => {
      this.isStale = true;
      setTimeout(() => this.release(), RELEASE_GRACE).unref();
    });
  }

  /** Id of the server's session; 0 if unknown. The driver doesn't document the field. */
  get processID(): number {
    return (this.client as { processID?: number | null }).processID ?? 0;
  }

  /** Calls `onRelease` when the connection is released. */
  hold(onRelease: () => void): this {
    this.onRelease = onRelease;
    return this;
  }

  /** Returns the connection to its pool. Does nothing if it was lost and has been returned already. */
  release(): void {
    if (!this.onRelease) return;
    this.onRelease();
    this.onRelease = null;
    this.client.release(this.isStale);
  }

  /** Closes a dead connection; its statement fails like with any lost connection. */
  giveUp(): void {
    this.isDead = true;
    void this.client.end();
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  /** @throws Error, because the statements of a cursor have no limits */
  query<R>(cursor: PostgresCursor<R>): never;
  query<R>(text: string | PostgresCursor<R>, values: readonly unknown[] = []): Promise<PostgresQueryResult<R>> {
    if (typeof text !== 'string') throw new Error('Cursors are not supported.');
    const limit = declaredStatementLimit();
    if (limit === undefined) return this.send(text, values);
    if (BEGIN.test(text)) return this.beginWithLimit(text, limit);
    return this.client.getTransactionStatus() === 'I'
      ? this.runInOwnTransaction(text, values, limit)
      : this.send(text, values);
  }

  /**
   * The limit is set per transaction, and a statement outside of one gets its own: behind a connection pooler, a session
   * setting would leak to the next client.
   */
  private async beginWithLimit<R>(begin: string, limit: number): Promise<PostgresQueryResult<R>> {
    const result = await this.send<R>(begin);
    await this.send(`set local statement_timeout = ${limit}`);
    return result;
  }

  private async runInOwnTransaction<R>(
    text: string,
    values: readonly unknown[],
    limit: number,
  ): Promise<PostgresQueryResult<R>> {
    await this.beginWithLimit('begin', limit);
    try {
      const result = await this.send<R>(text, values);
      await this.send('commit');
      return result;
    } catch (error) {
      // Fails only if the connection is lost, which the first error already reports.
      await this.send('rollback').catch(() => undefined);
      throw error;
    }
  }

  private async send<R>(text: string, values: readonly unknown[] = []): Promise<PostgresQueryResult<R>> {
    const sentAt = (this.sentAt = performance.now());
    this.statementLimit = statementLimit();
    const name = this.statementNames.nameOf(text);
    try {
      const parameters = values as unknown[];
      const result = await (name === null
        ? this.client.query(text, parameters)
        : this.client.query({ name, text, values: parameters }));
      return result as unknown as PostgresQueryResult<R>;
    } catch (error) {
      this.discardIfUseless((error as { code?: unknown }).code);
      throw this.isDead ? new DeadConnectionError() : error;
    } finally {
      if (this.sentAt === sentAt) this.sentAt = null;
    }
  }

  private discardIfUseless(code: unknown): void {
    // This connection may have been opened after the failover and still be the first to report it. In that case all
    // others are older or have the same problem.
    if (code === READ_ONLY_CODE) this.markAllStale();
    else if (typeof code === 'string' && SESSION_TERMINATED_CODES.test(code)) this.isStale = true;
  }
}
