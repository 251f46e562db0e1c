import { createHash, randomBytes } from 'node:crypto';
import { ResumableUploadRepository } from '../../../src/modules/files/upload/resumable/resumable-upload.repository.js';
import { UploadCleanupService } from '../../../src/modules/files/upload/upload-cleanup.service.js';
import { Storage } from '../../../src/platform/storage/storage.js';
import { PeerServer } from '../../support/fakes/peer-server.js';
import type { HeldFault } from '../../support/fakes/held-fault.js';
import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import {
  cancelUpload,
  cookieHeaderOf,
  createUpload,
  openPatch,
  readOffset,
  sendChunk,
} from '../files/upload/files-tus.js';
import { listKeys } from './storage.contract.js';

const MIB = 2 ** 20;
const DAY = 24 * 3_600_000;
/** Processes start slowly while others are running. */
const TIMEOUT = 120_000;

/** A bucket, and a server in front of it that makes calls fail. */
export interface FaultyBucket {
  /** Variables of a process that stores its files there. */
  readonly env: Record<string, string>;
  injectFault(call: 'part' | 'complete', fault: HeldFault | 'lost answer', times?: number, after?: number): void;
  clearFaults(): void;
  /** The multipart uploads that are neither completed nor aborted; null if the bucket can't list them. */
  listMultiparts(): Promise<unknown[] | null>;
  close(): Promise<void>;
}

/** Resumable uploads to a bucket, in one process and over several (ADR 0058). */
export function describeResumableUploads(name: string, openBucket: () => Promise<FaultyBucket>): void {
  describeInProcess(`Resumable uploads to ${name}`, () => {
    let bucket: FaultyBucket;
    let world: World;
    let peer: PeerServer;
    let owner: Actor;
    let zone: TestZone;

    beforeAll(async () => {
      bucket = await openBucket();
      world = await World.open(bucket.env);
      peer = await PeerServer.start(world.testApp);
      owner = await registerUser(world);
      zone = await createZone(owner);
    }, TIMEOUT);
    afterAll(async () => {
      peer.resume();
      await peer.kill();
      await world.close();
      await bucket.close();
    });
    afterEach(() => {
      bucket.clearFaults();
      peer.resume();
    });

    const execute = <T extends object>(sql: string, params: unknown[] = []) =>
      world.testApp.em().execute<T[]>(sql, params);
    const create = (bytes: Buffer) => createUpload(owner.client, zone, uniqueName('upload'), bytes.length);
    const send = (address: string, from: number, bytes: Buffer) => sendChunk(owner.client, address, from, bytes);
    const openAtPeer = (address: string, offset: number, length: number) =>
      openPatch(peer.url, cookieHeaderOf(owner, world.url), address, offset, length);
    /** Holds back the second part, as request or response; resolves once that happens. */
    const holdSecondPart = (held: HeldFault['held'], until: Promise<void>) =>
      new Promise<void>((resolve) => bucket.injectFault('part', { held, onHeld: resolve, until }, 1, 1));
    /** Lets the locks of the other process expire without waiting for it. */
    const expireLocks = () => execute(`update upload_locks set held_until = now() - interval '1 second'`);
    /** Checks the last file, and that nothing else is left. */
    const expectFile = async (fileId: string, bytes: Buffer) => {
      const [file] = await execute<{ sha256: string; object_key: string }>(
        'select sha256, object_key from files where id = ?',
        [fileId],
      );
      const storage = world.testApp.app.get(Storage);
      expect((await storage.readWhole(file!.object_key, bytes.length)).equals(bytes)).toBe(true);
      expect((await storage.stat(file!.object_key))!.size).toBe(bytes.length);
      expect(file!.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
      await expectOnlyFiles();
    };
    const expectOnlyFiles = async () => {
      await world.testApp.drain();
      const files = await execute<{ object_key: string }>('select object_key from files');
      const keys = await listKeys(world.testApp.app.get(Storage).list(''));
      expect(keys.sort()).toEqual(files.map(({ object_key }) => object_key).sort());
      const rows = 'select upload_id from upload_parts union all select upload_id from upload_multiparts';
      expect(await execute(`${rows} union all select id from uploads`)).toEqual([]);
      expect((await bucket.listMultiparts()) ?? []).toEqual([]);
    };

    it('are complete after requests of any size, down to a byte', async () => {
      const bytes = randomBytes(9 * MIB + 3);
      const address = await create(bytes);
      let offset = 0;
      for (const size of [MIB, 1, 1, 7 * MIB, 1, MIB - 2, 1]) {
        await send(address, offset, bytes.subarray(offset, offset + size)).expect(204);
        offset += size;
        expect(await readOffset(owner.client, address)).toBe(offset);
      }
      const { headers } = await send(address, offset, bytes.subarray(offset)).expect(204);
      await expectFile(headers['x-file-id'] as string, bytes);
    });

    it('are complete when they are small, empty or exactly as long as parts', async () => {
      for (const length of [1, 8 * MIB, 16 * MIB]) {
        const bytes = randomBytes(length);
        const { headers } = await send(await create(bytes), 0, bytes).expect(204);
        await expectFile(headers['x-file-id'] as string, bytes);
      }
    });

    it('continue in another process', async () => {
      const bytes = randomBytes(18 * MIB);
      const address = await create(bytes);
      const call = openAtPeer(address, 0, 9 * MIB);
      await call.write(bytes.subarray(0, 9 * MIB));
      call.end();
      expect((await call.answer()).status).toBe(204);
      const { headers } = await send(address, 9 * MIB, bytes.subarray(9 * MIB)).expect(204);
      await expectFile(headers['x-file-id'] as string, bytes);
    });

    it('are found when the response to their completion is lost', async () => {
      const bytes = randomBytes(9 * MIB);
      const address = await create(bytes);
      bucket.injectFault('complete', 'lost answer', Infinity);
      const { headers } = await send(address, 0, bytes).expect(204);
      await expectFile(headers['x-file-id'] as string, bytes);
    });

    it('are completed again when their file could not be created', async () => {
      const bytes = randomBytes(18 * MIB);
      const address = await create(bytes);
      const detach = jest.spyOn(world.testApp.app.get(ResumableUploadRepository), 'detachReservation');
      detach.mockResolvedValueOnce(null);
      await send(address, 0, bytes).expect(404);
      detach.mockRestore();
      const offset = await readOffset(owner.client, address);
      expect(offset).toBe(16 * MIB);
      const other = Buffer.concat([bytes.subarray(0, offset), randomBytes(2 * MIB)]);
      const { headers } = await send(address, offset, other.subarray(offset)).expect(204);
      await expectFile(headers['x-file-id'] as string, other);
    });

    it(
      'are not changed by a suspended process that another has succeeded',
      async () => {
        const bytes = randomBytes(20 * MIB);
        const address = await create(bytes);
        let release = () => {};
        const held = holdSecondPart('request', new Promise((resolve) => (release = resolve)));
        const call = openAtPeer(address, 0, bytes.length);
        await call.write(bytes.subarray(0, 8 * MIB));
        // What arrives late is not what the successor sends.
        await call.write(Buffer.alloc(9 * MIB, 'x'));
        await held;
        peer.suspend();
        await expireLocks();
        expect(await readOffset(owner.client, address)).toBe(8 * MIB);
        await send(address, 8 * MIB, bytes.subarray(8 * MIB, 17 * MIB)).expect(204);
        release();
        peer.resume();
        expect((await call.answer()).status).toBeGreaterThanOrEqual(400);
        call.abort();
        expect(await readOffset(owner.client, address)).toBe(17 * MIB);
        const { headers } = await send(address, 17 * MIB, bytes.subarray(17 * MIB)).expect(204);
        await expectFile(headers['x-file-id'] as string, bytes);
      },
      TIMEOUT,
    );

    it(
      'lose and double nothing when a process is killed before a stored part counts',
      async () => {
        const bytes = randomBytes(20 * MIB);
        const address = await create(bytes);
        const held = holdSecondPart('response', new Promise(() => {}));
        const call = openAtPeer(address, 0, bytes.length);
        await call.write(bytes.subarray(0, 17 * MIB));
        await held;
        await peer.kill();
        await expireLocks();
        expect(await readOffset(owner.client, address)).toBe(8 * MIB);
        const { headers } = await send(address, 8 * MIB, bytes.subarray(8 * MIB)).expect(204);
        await expectFile(headers['x-file-id'] as string, bytes);
      },
      TIMEOUT,
    );

    it('leave nothing in the bucket when they are cancelled or expire', async () => {
      const bytes = randomBytes(20 * MIB);
      const [cancelled, expired] = [await create(bytes), await create(bytes)];
      for (const address of [cancelled, expired]) await send(address, 0, bytes.subarray(0, 9 * MIB)).expect(204);
      await cancelUpload(owner.client, cancelled).expect(204);
      world.testApp.clock.advance(DAY);
      const cleanup = world.testApp.app.get(UploadCleanupService);
      await cleanup.cleanUp({} as never, { signal: new AbortController().signal } as never);
      await expectOnlyFiles();
    });
  });
}
