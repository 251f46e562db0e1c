import { createHash, randomBytes } from 'node:crypto';
import type { SignedPartDto, UploadPartsDto } from '../../../src/modules/files/dto/upload.dto.js';
import { DirectUploadService } from '../../../src/modules/files/upload/resumable/direct-upload.service.js';
import { UploadMultipartRepository } from '../../../src/modules/files/upload/resumable/upload-multipart.repository.js';
import { UploadCleanupService } from '../../../src/modules/files/upload/upload-cleanup.service.js';
import type { Multipart } from '../../../src/platform/storage/multipart.js';
import { newObjectKey, Storage } from '../../../src/platform/storage/storage.js';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { cancelUpload, createUpload, sendChunk } from '../files/upload/files-tus.js';
import type { FaultyBucket } from './resumable-uploads.contract.js';
import { listKeys } from './storage.contract.js';

const MIB = 2 ** 20;
const DAY = 24 * 3_600_000;
const PART = 8 * MIB;

/**
 * Uploads whose parts are sent to the bucket itself (ADR 0061). Its `STORAGE_URL` must have `directUploads=yes`.
 * @param isStrict whether the service compares ETags when it completes parts, and checks what an address is signed for;
 *   s3rver does neither
 */
export function describeDirectUploads(
  name: string,
  openBucket: () => Promise<FaultyBucket>,
  { isStrict }: { isStrict: boolean },
): void {
  describeInProcess(`Direct uploads to ${name}`, () => {
    let bucket: FaultyBucket;
    let world: World;
    let owner: Actor;
    let zone: TestZone;

    beforeAll(async () => {
      bucket = await openBucket();
      world = await World.open(bucket.env);
      owner = await registerUser(world);
      zone = await createZone(owner);
    }, 120_000);
    afterAll(async () => {
      await world.close();
      await bucket.close();
    });
    afterEach(() => {
      jest.restoreAllMocks();
      bucket.clearFaults();
    });

    const execute = <T extends object>(sql: string, params: unknown[] = []) =>
      world.testApp.em().execute<T[]>(sql, params);
    const drain = () => world.testApp.drain();
    const storage = () => world.testApp.app.get(Storage);
    const create = (bytes: Buffer, by = owner) => createUpload(by.client, zone, uniqueName('direct'), bytes.length);
    const sign = async (address: string, numbers: number[], by = owner) =>
      (await by.client.post(`${address}/parts`).send({ numbers }).expect(200)).body as SignedPartDto[];
    const put = async ({ url }: SignedPartDto, body: Buffer) => {
      const response = await fetch(url, { method: 'PUT', body: new Uint8Array(body) });
      expect(response.status).toBe(200);
      return response.headers.get('etag')!;
    };
    const partOf = (bytes: Buffer, number: number) => bytes.subarray((number - 1) * PART, number * PART);
    /** Sends parts and returns what is reported about them. */
    const sendParts = async (address: string, bytes: Buffer, numbers: number[], by = owner) => {
      const sent = [];
      for (const part of await sign(address, numbers, by))
        sent.push({ number: part.number, etag: await put(part, partOf(bytes, part.number)) });
      return sent;
    };
    const complete = (address: string, sent: object[] = [], by = owner) =>
      by.client.post(`${address}/complete`).send({ sent });
    const readState = async (address: string) => (await owner.client.get(address).expect(200)).body;
    const reservationOf = async (address: string) => {
      const sql = 'select upload_id from resumable_uploads where id = ?';
      return Number((await execute<{ upload_id: string }>(sql, [address.split('/').at(-1)]))[0]!.upload_id);
    };
    /** Checks a file, and that nothing else is left. */
    const expectFile = async (fileId: number, bytes: Buffer) => {
      const sql = 'select sha256, size, object_key from files where id = ?';
      const [file] = await execute<{ sha256: string; size: string; object_key: string }>(sql, [fileId]);
      expect((await storage().readWhole(file!.object_key, bytes.length)).equals(bytes)).toBe(true);
      expect(file!.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect(Number(file!.size)).toBe(bytes.length);
      await expectOnlyFiles();
    };
    const expectOnlyFiles = async () => {
      await drain();
      const files = await execute<{ object_key: string }>('select object_key from files');
      const keys = await listKeys(storage().list(''));
      expect(keys.sort()).toEqual(files.map(({ object_key }) => object_key).sort());
      expect(await execute('select upload_id from upload_multiparts union all select id from uploads')).toEqual([]);
      const usage = `select reserved from usage where owner_id = ? and metric = 'bytes'`;
      const [row] = await execute<{ reserved: string }>(usage, [owner.id]);
      expect(Number(row?.reserved ?? 0)).toBe(0);
      expect((await bucket.listMultiparts()) ?? []).toEqual([]);
    };
    const countFiles = async () => Number((await execute<{ n: string }>('select count(*) as n from files'))[0]!.n);

    it('become a file once the server has read them, whatever the order of their parts', async () => {
      const bytes = randomBytes(2 * PART + 3);
      const address = await create(bytes);
      const parts: UploadPartsDto = (await owner.client.get(`${address}/parts`).expect(200)).body;
      expect(parts).toEqual({ partBytes: PART, count: 3, sent: [] });
      const first = await sendParts(address, bytes, [3, 1]);
      // What was sent is known after a reload.
      await owner.client.post(`${address}/parts`).send({ numbers: [], sent: first }).expect(200);
      expect((await owner.client.get(`${address}/parts`).expect(200)).body.sent).toEqual([1, 3]);
      expect(await readState(address)).toMatchObject({ state: 'receiving', received: 2 * PART, fileId: null });
      const last = await sendParts(address, bytes, [2]);
      const { body } = await complete(address, last).expect(202);
      expect(body).toMatchObject({ state: 'checking', received: bytes.length, fileId: null });
      expect(await countFiles()).toBe(0);
      await drain();
      const { state, fileId } = await readState(address);
      expect(state).toBe('stored');
      await expectFile(fileId, bytes);
      expect((await complete(address).expect(202)).body).toMatchObject({ state: 'stored', fileId });
    });

    it('become one file when they are completed and checked several times at once', async () => {
      const bytes = randomBytes(PART);
      const address = await create(bytes);
      const sent = await sendParts(address, bytes, [1]);
      const before = await countFiles();
      await Promise.all([complete(address, sent), complete(address, sent), complete(address, sent)]);
      const uploadId = await reservationOf(address);
      const context = { signal: new AbortController().signal } as never;
      const check = () => world.testApp.app.get(DirectUploadService).checkUpload({ uploadId }, context);
      await Promise.allSettled([check(), check(), drain()]);
      await drain();
      expect(await countFiles()).toBe(before + 1);
      await expectFile((await readState(address)).fileId, bytes);
    });

    it('are found when a process dies after completing them, and the response was lost', async () => {
      const bytes = randomBytes(PART + 1);
      const address = await create(bytes);
      const sent = await sendParts(address, bytes, [1, 2]);
      bucket.injectFault('complete', 'lost answer', Infinity);
      const record = jest.spyOn(world.testApp.app.get(UploadMultipartRepository), 'recordHash');
      record.mockRejectedValueOnce(new Error('The process died.'));
      await complete(address, sent).expect(202);
      const uploadId = await reservationOf(address);
      const context = { signal: new AbortController().signal } as never;
      const check = () => world.testApp.app.get(DirectUploadService).checkUpload({ uploadId }, context);
      await expect(check()).rejects.toThrow('The process died.');
      expect(await readState(address)).toMatchObject({ state: 'checking' });
      await check();
      await expectFile((await readState(address)).fileId, bytes);
    });

    it('stay incomplete without all parts', async () => {
      const bytes = randomBytes(2 * PART);
      const address = await create(bytes);
      const { body } = await complete(address, await sendParts(address, bytes, [1])).expect(409);
      expect(body.code).toBe('UPLOAD_INCOMPLETE');
      await complete(address, await sendParts(address, bytes, [2])).expect(202);
      await drain();
      await expectFile((await readState(address)).fileId, bytes);
    });

    if (isStrict) {
      it('begin again if a part has changed after it was reported', async () => {
        const bytes = randomBytes(2 * PART);
        const address = await create(bytes);
        const [part] = await sign(address, [1]);
        const etag = await put(part!, partOf(bytes, 1));
        const second = await sendParts(address, bytes, [2]);
        await put(part!, randomBytes(PART));
        await complete(address, [{ number: 1, etag }, ...second]).expect(202);
        await drain();
        expect(await readState(address)).toMatchObject({ state: 'receiving', received: 0 });
        await complete(address).expect(409);
        await complete(address, await sendParts(address, bytes, [1, 2])).expect(202);
        await drain();
        await expectFile((await readState(address)).fileId, bytes);
      });

      it('accept only PUT of the signed part, with its size, for 15 minutes', async () => {
        const bytes = randomBytes(2 * PART);
        const address = await create(bytes);
        const [{ url, expiresAt }] = (await sign(address, [1])) as [SignedPartDto];
        expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('900');
        expect(Math.abs(new Date(expiresAt).getTime() - Date.now() - 900_000)).toBeLessThan(120_000);
        const body = new Uint8Array(PART);
        const statusOf = async (target: string, init: RequestInit) => (await fetch(target, init)).status;
        const [multipart] = await execute<Multipart>(
          `select object_key as "objectKey", remote_id as "remoteId" from upload_multiparts`,
        );
        const attempts: [string, RequestInit][] = [
          [url, { method: 'GET' }],
          [url, { method: 'DELETE' }],
          [url, { method: 'POST', body: '' }],
          [url.replace('partNumber=1', 'partNumber=2'), { method: 'PUT', body }],
          [url.replace(multipart!.objectKey, newObjectKey('files')), { method: 'PUT', body }],
          [url, { method: 'PUT', body: body.subarray(1) }],
          [url, { method: 'PUT', body: new Uint8Array(PART + 1) }],
        ];
        for (const [target, init] of attempts)
          expect([init.method, await statusOf(target, init)]).toEqual([init.method, 403]);
        const short = (await storage().signPart(multipart!, 1, PART, 1000))!;
        await new Promise((resolve) => setTimeout(resolve, 2100));
        expect(await statusOf(short.url, { method: 'PUT', body })).toBe(403);
        expect(await statusOf(url, { method: 'PUT', body })).toBe(200);
        await cancelUpload(owner.client, address).expect(204);
        await expectOnlyFiles();
        expect(await statusOf(url, { method: 'PUT', body })).toBeGreaterThanOrEqual(400);
      });
    }

    it('end when the right to upload is lost', async () => {
      const bytes = randomBytes(PART);
      const helper = await registerUser(world);
      await joinPublicZone(zone, helper);
      const setRole = (role: string) =>
        owner.client.patch(`/api/zones/${zone.id}/members/${helper.id}`).send({ role }).expect(200);
      await setRole('admin');
      const [before, midway, late] = [
        await create(bytes, helper),
        await create(bytes, helper),
        await create(bytes, helper),
      ];
      const sent = await sendParts(late, bytes, [1], helper);
      await complete(late, sent, helper).expect(202);
      const reported = await sendParts(midway, bytes, [1], helper);
      await setRole('member');
      const count = await countFiles();
      const { body } = await helper.client
        .post(`${before}/parts`)
        .send({ numbers: [1] })
        .expect(403);
      expect(body.code).toBe('ZONE_FORBIDDEN');
      await complete(midway, reported, helper).expect(403);
      await drain();
      for (const address of [before, midway, late]) await helper.client.get(address).expect(404);
      expect(await countFiles()).toBe(count);
      await expectOnlyFiles();
    });

    it('belong to their user', async () => {
      const bytes = randomBytes(PART);
      const address = await create(bytes);
      await sign(address, [1]);
      const other = await registerUser(world);
      await other.client.get(`${address}/parts`).expect(404);
      await other.client
        .post(`${address}/parts`)
        .send({ numbers: [1] })
        .expect(404);
      await complete(address, [], other).expect(404);
      await owner.client
        .post(`${address}/parts`)
        .send({ numbers: [2] })
        .expect(400);
      await cancelUpload(owner.client, address).expect(204);
    });

    it('say why a checked upload is not a file', async () => {
      const bytes = randomBytes(PART);
      const taken = uniqueName('taken');
      const addresses = [
        await createUpload(owner.client, zone, taken, bytes.length),
        await createUpload(owner.client, zone, taken, bytes.length),
      ];
      for (const address of addresses) await complete(address, await sendParts(address, bytes, [1])).expect(202);
      await drain();
      const states = await Promise.all(addresses.map(readState));
      expect(states.map(({ state }) => state).sort()).toEqual(['checked', 'stored']);
      const refused = addresses[states.findIndex(({ state }) => state === 'checked')]!;
      expect((await complete(refused).expect(409)).body).toMatchObject({ code: 'DUPLICATE_NAMES', names: [taken] });
      await cancelUpload(owner.client, refused).expect(204);
      await expectOnlyFiles();
    });

    it('can continue as ordinary uploads, from the beginning', async () => {
      const bytes = randomBytes(PART + 5);
      const address = await create(bytes);
      const sent = await sendParts(address, bytes, [1, 2]);
      await complete(address, sent).expect(202);
      const { headers } = await sendChunk(owner.client, address, 0, bytes).expect(204);
      await expectFile(Number(headers['x-file-id']), bytes);
      const other = await create(bytes);
      await sendChunk(owner.client, other, 0, bytes.subarray(0, 5)).expect(204);
      const { body } = await owner.client
        .post(`${other}/parts`)
        .send({ numbers: [1] })
        .expect(409);
      expect(body.code).toBe('UPLOAD_NOT_DIRECT');
      await cancelUpload(owner.client, other).expect(204);
    });

    it('leave nothing when they expire', async () => {
      const bytes = randomBytes(PART + 1);
      await sendParts(await create(bytes), bytes, [1]);
      world.testApp.clock.advance(DAY);
      const cleanup = world.testApp.app.get(UploadCleanupService);
      await cleanup.cleanUp({} as never, { signal: new AbortController().signal } as never);
      await expectOnlyFiles();
    });
  });
}
