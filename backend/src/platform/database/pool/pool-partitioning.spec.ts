import { EventEmitter } from 'node:events';
import { setImmediate as settle } from 'node:timers/promises';
import type { Request, Response } from 'express';
import type { ClientBase } from 'pg';
import { poolPartitionMiddleware } from '../../http/observability/pool-partition.middleware.js';
import { ConnectionPool, getPoolUsage } from './connection-pool.js';
import { POOL_SIZE, runInPoolPartition, setPoolTenantOwner, setPoolTenantPerson } from './pool-partitioning.js';
import type { PooledConnection } from './pooled-connection.js';

/** A connection to no server. */
class FakeClient extends EventEmitter {
  connect(connected: () => void): void {
    connected();
  }
  end(ended: () => void): void {
    ended();
  }
}

describe('Pool partitions', () => {
  let pool: ConnectionPool;
  beforeEach(() => {
    const Client = FakeClient as unknown as new () => ClientBase;
    pool = new ConnectionPool({ Client, max: POOL_SIZE });
  });
  afterEach(() => pool.end());

  const connect = () => pool.connect();
  /** Counts the callers waiting for a connection. */
  const countWaiting = async () => {
    await settle();
    return pool.waiting;
  };
  /** Requests `count` connections; those that wait get theirs when others are released. */
  const connectMany = (count: number) => Array.from({ length: count }, connect);
  const releaseAll = async (connections: Promise<PooledConnection>[]) => {
    for (const connection of connections) (await connection).release();
  };

  it.each([
    ['health', 2],
    ['heartbeats', 2],
    ['entry', 6],
    ['common', 16],
  ] as const)('%s has %i slots, and waiting for them blocks no other partition', async (partition, slots) => {
    const connections = runInPoolPartition(partition, () => connectMany(slots + 3));
    expect(await countWaiting()).toBe(3);
    for (const other of ['health', 'heartbeats', 'entry', 'common'] as const) {
      if (other !== partition) (await runInPoolPartition(other, connect)).release();
    }
    await releaseAll(connections);
    expect(await countWaiting()).toBe(0);
  });

  it.each([
    ['entry', 'one user', () => setPoolTenantPerson(7), () => setPoolTenantPerson(8), 2],
    ['common', 'writes of one owner', () => setPoolTenantOwner(7), () => setPoolTenantOwner(8), 8],
  ] as const)('%s limits %s to some of its slots', async (partition, _, charge, chargeOther, most) => {
    const connections = runInPoolPartition(partition, () => {
      charge();
      return connectMany(most + 1);
    });
    expect(await countWaiting()).toBe(1);
    const others = runInPoolPartition(partition, () => {
      chargeOther();
      return connectMany(most);
    });
    expect(await countWaiting()).toBe(1);
    await releaseAll([...connections, ...others]);
  });

  it.each([
    ['health', '/readyz'],
    ...[
      ...['/api/login', '/api/login/factor', '/api/login/factor/passkey-options', '/api/login/passkey'],
      ...['/api/login/passkey/options', '/api/single-sign-on', '/api/single-sign-on/callback'],
      ...['/api/single-sign-on/link', '/api/single-sign-on/link/code', '/api/sign-in-mails', '/api/sign-in-links'],
      ...['/api/sign-in-links/check', '/api/sign-in-codes', '/api/logout', '/api/register', '/api/reset-password'],
      ...['/api/user/confirm', '/api/user/confirm/passkey-options', '/api/user/confirm/mail', '/api/user'],
    ].map((path) => ['entry', path]),
    ...['/api/zones', '/api/user/tokens', '/api/accept-invite'].map((path) => ['common', path]),
  ] as ['health' | 'entry' | 'common', string][])('%s is used for requests to %s', async (partition, path) => {
    const connections = runInPoolPartition(partition, () => connectMany(16));
    const before = await countWaiting();
    poolPartitionMiddleware({ path } as Request, {} as Response, () => void connections.push(connect()));
    expect(await countWaiting()).toBe(before + 1);
    await releaseAll(connections);
  });

  it('counts the connections of all partitions in the metrics', async () => {
    const before = getPoolUsage();
    const connections = ['health', 'entry'].map((partition) =>
      runInPoolPartition(partition as 'health', () => connectMany(7)),
    );
    await settle();
    const after = getPoolUsage();
    expect([after.used - before.used, after.waiting - before.waiting]).toEqual([2 + 6, 5 + 1]);
    await releaseAll(connections.flat());
  });
});
