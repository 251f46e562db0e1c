import type { Request, Response } from 'express';
import type { Pool, PoolClient } from 'pg';
import { poolPartitionMiddleware } from '../../http/observability/pool-partition.middleware.js';
import { setPoolTenantOwner, setPoolTenantPerson, partitionPool, runInPoolPartition } from './pool-partitioning.js';

/** A pool with an unlimited number of connections. */
function createPartitionedPool(): { connect: () => Promise<PoolClient>; waiting: () => number } {
  const pool = { connect: () => Promise.resolve({ release: () => undefined }) };
  const waiting = partitionPool(pool as unknown as Pool);
  return { connect: () => pool.connect() as unknown as Promise<PoolClient>, waiting };
}

describe('Pool partitions', () => {
  /** Requests `count` connections; those that wait get theirs when others are released. */
  const connectMany = (connect: () => Promise<PoolClient>, count: number) =>
    Array.from({ length: count }, () => connect());
  const releaseAll = async (connections: Promise<PoolClient>[]) => {
    for (const client of connections) (await client).release();
  };

  it.each([
    ['health', 2],
    ['heartbeats', 2],
    ['entry', 6],
    ['common', 16],
  ] as const)('%s has %i slots, and waiting for them blocks no other partition', async (partition, slots) => {
    const { connect, waiting } = createPartitionedPool();
    const connections = runInPoolPartition(partition, () => connectMany(connect, slots + 3));
    expect(waiting()).toBe(3);
    for (const other of ['health', 'heartbeats', 'entry', 'common'] as const) {
      if (other !== partition) (await runInPoolPartition(other, connect)).release();
    }
    await releaseAll(connections);
    expect(waiting()).toBe(0);
  });

  it.each([
    ['entry', 'one user', () => setPoolTenantPerson(7), () => setPoolTenantPerson(8), 2],
    ['common', 'writes of one owner', () => setPoolTenantOwner(7), () => setPoolTenantOwner(8), 8],
  ] as const)('%s limits %s to some of its slots', async (partition, _, charge, chargeOther, most) => {
    const { connect, waiting } = createPartitionedPool();
    const connections = runInPoolPartition(partition, () => {
      charge();
      return connectMany(connect, most + 1);
    });
    expect(waiting()).toBe(1);
    const others = runInPoolPartition(partition, () => {
      chargeOther();
      return connectMany(connect, most);
    });
    expect(waiting()).toBe(1);
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
    const { connect, waiting } = createPartitionedPool();
    const connections = runInPoolPartition(partition, () => connectMany(connect, 16));
    const before = waiting();
    poolPartitionMiddleware({ path } as Request, {} as Response, () => void connections.push(connect()));
    expect(waiting()).toBe(before + 1);
    await releaseAll(connections);
  });
});
