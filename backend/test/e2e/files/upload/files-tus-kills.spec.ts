import { createHash, randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../../support/people/actors.js';
import { PeerServer } from '../../../support/fakes/peer-server.js';
import { describeInProcess, World } from '../../../support/world.js';
import { pollUntil } from './multipart-helpers.js';
import { cookieHeaderOf, createUpload, openPatch, readOffset, sendChunk } from './files-tus.js';

const MB = 2 ** 20;
/** Processes start slowly while others are running. */
const TIMEOUT = 120_000;

interface Row {
  readonly received: number;
  readonly generation: number;
  /** Absolute path of the growing file. */
  readonly path: string;
  readonly key: string;
}

describeInProcess('Process that loses its uploads', () => {
  let world: World;
  let peer: PeerServer;
  let owner: Actor;
  let zone: TestZone;

  beforeAll(async () => {
    world = await World.open();
    peer = await PeerServer.start(world.testApp);
    owner = await registerUser(world);
    zone = await createZone(owner);
  }, TIMEOUT);
  afterAll(async () => {
    peer.resume();
    await peer.kill();
    await world.close();
  });

  const execute = <T extends object>(sql: string, params: unknown[] = []) =>
    world.testApp.em().execute<T[]>(sql, params);
  const storagePath = (...names: string[]) => join(world.testApp.config.dataDir, 'files', ...names);
  const readRow = async (address: string): Promise<Row> => {
    const [row] = await execute<{ received: string; generation: number; object_key: string }>(
      `select r.received, r.generation, u.object_key from resumable_uploads r join uploads u on u.id = r.upload_id
       where r.id = ?`,
      [address.split('/').at(-1)!],
    );
    const { received, generation, object_key: key } = row!;
    const path = storagePath('.unfinished', key.replaceAll('/', '-'), String(generation));
    return { received: Number(received), generation, path, key };
  };
  const readSize = (path: string) =>
    stat(path).then(
      ({ size }) => size,
      () => 0,
    );
  /** Lets the locks of the other process expire without waiting for it. */
  const expireLocks = () => execute(`update upload_locks set held_until = now() - interval '1 second'`);
  const openAtPeer = (address: string, length: number) =>
    openPatch(peer.url, cookieHeaderOf(owner, world.url), address, 0, length);
  const expectFile = async (fileId: string, bytes: Buffer) => {
    const [file] = await execute<{ sha256: string; object_key: string }>(
      'select sha256, object_key from files where id = ?',
      [fileId],
    );
    const stored = await readFile(storagePath(...file!.object_key.split('/')));
    expect(stored.equals(bytes)).toBe(true);
    expect(file!.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  };

  it('cannot change an upload that another continued while it was suspended', async () => {
    const bytes = randomBytes(12 * MB);
    const address = await createUpload(owner.client, zone, uniqueName('asleep'), bytes.length);
    const call = openAtPeer(address, bytes.length);
    await call.write(bytes.subarray(0, 9 * MB));
    await pollUntil(async () => (await readRow(address)).received > 0);
    const { received } = await readRow(address);
    peer.suspend();
    // Arrives at the suspended process, which writes it when it continues: not what the successor sends.
    const late = call.write(Buffer.alloc(2 * MB, 'x')).catch(() => undefined);
    await expireLocks();
    expect(await readOffset(owner.client, address)).toBe(received);
    const rest = bytes.subarray(received);
    const half = Math.ceil(rest.length / 2);
    await sendChunk(owner.client, address, received, rest.subarray(0, half)).expect(204);
    expect(await readRow(address)).toMatchObject({ generation: 1, received: received + half });
    peer.resume();
    const { status } = await call.answer();
    expect(status).toBeGreaterThanOrEqual(400);
    await late;
    call.abort();
    expect(await readOffset(owner.client, address)).toBe(received + half);
    const { headers } = await sendChunk(owner.client, address, received + half, rest.subarray(half)).expect(204);
    await expectFile(headers['x-file-id'] as string, bytes);
  });

  it('loses and doubles nothing when it is killed at any byte', async () => {
    const uploads = await Promise.all(
      [1, 700_001, 8 * MB + 3, 20 * MB, 30 * MB - 1].map(async (sent) => {
        const bytes = randomBytes(30 * MB);
        const address = await createUpload(owner.client, zone, uniqueName('killed'), bytes.length);
        const call = openAtPeer(address, bytes.length);
        await call.write(bytes.subarray(0, sent));
        return { sent, bytes, address };
      }),
    );
    // Some are flushed, and more is written after that.
    await pollUntil(async () => {
      const rows = await Promise.all(uploads.map(({ address }) => readRow(address)));
      return rows.filter(({ received }) => received > 0).length >= 3;
    });
    await peer.kill();
    await expireLocks();
    for (const { address, bytes, sent } of uploads) {
      const { path, received } = await readRow(address);
      expect(await readSize(path)).toBeGreaterThanOrEqual(received);
      expect(received).toBeLessThanOrEqual(sent);
      expect(sent - received).toBeLessThanOrEqual(9 * MB);
      expect(await readOffset(owner.client, address)).toBe(received);
      const { headers } = await sendChunk(owner.client, address, received, bytes.subarray(received)).expect(204);
      await expectFile(headers['x-file-id'] as string, bytes);
    }
    await world.testApp.drain();
    expect(await execute('select 1 from uploads')).toEqual([]);
  });
});
