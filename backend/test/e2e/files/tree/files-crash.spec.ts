import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join as pathOf } from 'node:path';
import pg from 'pg';
import { LEASE } from '../../../../src/modules/files/upload/upload-reservation.service.js';
import { uniqueName } from '../../../support/people/actors.js';
import { PeerServer } from '../../../support/fakes/peer-server.js';
import { baseUrl, describeInProcess, World } from '../../../support/world.js';
import { buildMultipart, openUpload, pollUntil } from '../upload/multipart-helpers.js';
import { createUpload, cookieHeaderOf, readOffset, openPatch, sendChunk } from '../upload/files-tus.js';
import { isUnfinished, CrashLeftovers } from './crash-leftovers.js';
import { FilesZone } from '../files-zone.js';

const MB = 2 ** 20;

/** The operations in progress when a process is killed, each in its own zone. */
const names = ['multipart', 'multipartEnd', 'resumable', 'resumableEnd', 'deletion', 'purge'] as const;
type Scenarios = Record<(typeof names)[number], FilesZone>;

/** Bytes acknowledged as stored before the process receives the rest. */
const STORED = { resumable: 0, resumableEnd: 8 * MB };

/** In milliseconds; processes start slowly while others are running. */
const TIMEOUT = 240_000;

let world: World;
/** One to be killed and one with a disk that is full at 4 MB; started concurrently, because starting takes longest. */
let neighbours: { killed: Promise<PeerServer>; full: Promise<PeerServer> };

beforeAll(async () => {
  world = await World.open();
  if (baseUrl) return;
  neighbours = { killed: PeerServer.start(world.testApp), full: PeerServer.start(world.testApp, 4 * 1024) };
  // Failures surface where the servers are awaited.
  for (const starting of Object.values(neighbours)) starting.catch(() => undefined);
}, TIMEOUT);
afterAll(async () => {
  for (const starting of Object.values(neighbours ?? {})) await starting.then((neighbour) => neighbour.kill());
  await world.close();
}, TIMEOUT);

const createLeftovers = () => new CrashLeftovers(world);
const execute = <T extends object>(sql: string, params: unknown[] = []) => createLeftovers().query<T>(sql, params);

async function downloadFile({ owner }: FilesZone, id: string | number): Promise<Buffer> {
  const { body } = await owner.client.get(`/api/files/${id}/download`).buffer().parse(binary).expect(200);
  return body as Buffer;
}

describeInProcess('Killed web process', () => {
  let scenes: Scenarios;
  let lock: pg.Client;
  const bytes = { resumable: randomBytes(20 * MB), resumableEnd: randomBytes(9 * MB) };
  const addresses = { resumable: '', resumableEnd: '' };
  const files = { deletion: 0, purge: 0 };
  /** Bytes of the partial upload that count as received when the process is killed. */
  let received = 0;

  beforeAll(async () => {
    lock = new pg.Client(world.testApp.connection as pg.ClientConfig);
    await lock.connect();
    await prepare();
    const peerServer = await neighbours.killed;
    await startOperations(peerServer.url);
    await peerServer.kill();
    await resumeProcess();
  }, TIMEOUT);
  afterAll(() => lock.end());

  async function prepare(): Promise<void> {
    const zones: Partial<Scenarios> = {};
    for (const name of names) zones[name] = await FilesZone.open(world);
    scenes = zones as Scenarios;
    for (const what of ['deletion', 'purge'] as const) {
      files[what] = (await scenes[what].uploadFile(uniqueName(what), undefined, Buffer.alloc(1000, 'x'))).id;
    }
    await scenes.purge.deleteItem('files', files.purge);
    for (const what of ['resumable', 'resumableEnd'] as const) {
      const { owner, zone } = scenes[what];
      addresses[what] = await createUpload(owner.client, zone, uniqueName(what), bytes[what].length);
    }
    const { owner } = scenes.resumableEnd;
    await sendChunk(
      owner.client,
      addresses.resumableEnd,
      0,
      bytes.resumableEnd.subarray(0, STORED.resumableEnd),
    ).expect(204);
  }

  /**
   * Brings all operations to their middle. Completions are blocked where they update the zone's counts: rows and
   * objects are written by then, but not committed.
   */
  async function startOperations(url: string): Promise<void> {
    const zoneIds = [scenes.multipartEnd, scenes.resumableEnd, scenes.deletion, scenes.purge].map(
      ({ zone }) => zone.id,
    );
    await lock.query('begin');
    await lock.query('select 1 from zone_stats where zone_id = any($1) for update', [zoneIds]);
    const { type, body } = buildMultipart({ name: 'multipart.bin', body: randomBytes(20 * MB) });
    const { owner, zone } = scenes.multipart;
    await openUpload({ url } as World, owner, zone.id, type, body.length).write(body.subarray(0, 12 * MB));
    const small = buildMultipart({ name: 'end.bin', body: randomBytes(3 * MB) });
    const end = scenes.multipartEnd;
    await openUpload({ url } as World, end.owner, end.zone.id, small.type, small.body.length).write(small.body);
    const call = await resume(url, 'resumable', 12 * MB);
    await resume(url, 'resumableEnd', 9 * MB);
    sendRequest(url, scenes.deletion, 'DELETE', `/api/files/${files.deletion}`);
    sendRequest(url, scenes.purge, 'POST', `/api/zones/${scenes.purge.zone.id}/trash/purge`, { all: true });
    await pollUntil(async () => (await listWaitingSessions()).length === 4);
    // Received bytes are stored while the request continues; later ones are in flight.
    await pollUntil(async () => (await readStoredBytes('resumable')) >= 8 * MB);
    received = await readStoredBytes('resumable');
    await call.write(bytes.resumable.subarray(12 * MB, 15 * MB));
    await pollUntil(async () => (await draftBytes()) >= 14 * MB);
  }

  async function readStoredBytes(what: 'resumable' | 'resumableEnd'): Promise<number> {
    const sql = 'select received from resumable_uploads where id = ?';
    const [row] = await execute<{ received: string }>(sql, [addresses[what].split('/').at(-1)!]);
    return Number(row!.received);
  }

  async function resume(url: string, what: 'resumable' | 'resumableEnd', until: number) {
    const { owner } = scenes[what];
    const length = bytes[what].length - STORED[what];
    const call = openPatch(url, cookieHeaderOf(owner, world.url), addresses[what], STORED[what], length);
    await call.write(bytes[what].subarray(STORED[what], until));
    if (until === bytes[what].length) call.end();
    return call;
  }

  function sendRequest(url: string, { owner }: FilesZone, method: string, path: string, body?: object): void {
    const headers = {
      Cookie: cookieHeaderOf(owner, world.url),
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/json',
    };
    // Never answered, because the process dies.
    fetch(url + path, { method, headers, body: body && JSON.stringify(body) }).catch(() => undefined);
  }

  const listWaitingSessions = () =>
    execute<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
  const draftBytes = async () => {
    const drafts = (await createLeftovers().listStoredFiles()).filter(isUnfinished);
    const sizes = await Promise.all(drafts.map(({ parentPath, name }) => stat(pathOf(parentPath, name))));
    return Math.max(0, ...sizes.map(({ size }) => size));
  };

  /** Terminates the database sessions of the dead process. */
  async function resumeProcess(): Promise<void> {
    const pids = (await listWaitingSessions()).map(({ pid }) => pid);
    expect(pids).toHaveLength(4);
    await lock.query('rollback');
    const alive = 'select 1 from pg_stat_activity where pid = any($1)';
    await pollUntil(async () => (await lock.query(alive, [pids])).rowCount === 0);
  }

  it('moves nothing to the trash, and the deletion can be repeated', async () => {
    const { deletion } = scenes;
    expect(await deletion.listTrash()).toEqual([]);
    expect(await downloadFile(deletion, files.deletion)).toHaveLength(1000);
    expect(await deletion.readCounts()).toMatchObject({ fileCount: 1 });
    await deletion.deleteItem('files', files.deletion);
    expect(await deletion.readCounts()).toMatchObject({ fileCount: 0 });
  });

  it('has its purge completed by the queued job', async () => {
    expect(await scenes.purge.listTrash()).toEqual([]);
    expect(await execute('select 1 from files where id = ?', [files.purge])).toHaveLength(1);
    await world.testApp.drain();
    expect(await execute('select 1 from files where id = ?', [files.purge])).toEqual([]);
    const [used] = await execute<{ used: string }>(`select used from usage where metric = 'bytes' and owner_id = ?`, [
      scenes.purge.owner.id,
    ]);
    expect(Number(used!.used)).toBe(0);
  });

  it.each([
    ['in the middle of an upload', 'resumable'],
    ['while it turns an upload into a file', 'resumableEnd'],
  ] as const)('%s, allows resuming from the last stored byte', async (_, what) => {
    const { owner } = scenes[what];
    const offset = what === 'resumable' ? received : STORED.resumableEnd;
    expect(await readOffset(owner.client, addresses[what])).toBe(offset);
    const rest = bytes[what].subarray(offset);
    const { headers } = await sendChunk(owner.client, addresses[what], offset, rest).expect(204);
    expect((await downloadFile(scenes[what], headers['x-file-id'] as string)).equals(bytes[what])).toBe(true);
  });

  it('leaves no file, bytes or reservation of multipart uploads', async () => {
    const countUploads = async () => (await execute('select 1 from uploads')).length;
    expect(await countUploads()).toBe(2);
    expect((await createLeftovers().listStoredFiles()).some(isUnfinished)).toBe(true);
    world.testApp.clock.advance(LEASE + 1000);
    await createLeftovers().cleanUp();
    expect(await countUploads()).toBe(0);
    expect(await scenes.multipart.listNames('files')).toEqual([]);
    expect(await scenes.multipartEnd.listNames('files')).toEqual([]);
    await createLeftovers().expectNone();
  });
});

describeInProcess('Full disk', () => {
  let peerServer: PeerServer;
  let here: FilesZone;
  const bytes = randomBytes(6 * MB);

  beforeAll(async () => {
    here = await FilesZone.open(world);
    peerServer = await neighbours.full;
  }, TIMEOUT);

  it('rejects an upload with 503, keeps nothing of it and accepts smaller ones', async () => {
    const upload = async (body: Buffer) => {
      const { type, body: sent } = buildMultipart({ name: 'a.bin', body });
      const call = openUpload({ url: peerServer.url } as World, here.owner, here.zone.id, type, sent.length);
      await call.write(sent);
      return call.status();
    };
    expect(await upload(bytes)).toBe(503);
    await createLeftovers().expectNone();
    expect(await here.listNames('files')).toEqual([]);
    expect(await upload(bytes.subarray(0, 3 * MB))).toBe(201);
    await createLeftovers().expectNone();
  });

  it('rejects bytes of a resumable upload with 503, which resumes when there is space', async () => {
    const { owner, zone } = here;
    const address = await createUpload(owner.client, zone, uniqueName('full'), bytes.length);
    const call = openPatch(peerServer.url, cookieHeaderOf(owner, world.url), address, 0, bytes.length);
    await call.write(bytes);
    call.end();
    expect(await call.answer()).toMatchObject({ status: 503, code: 'STORAGE_UNAVAILABLE' });
    expect(await readOffset(owner.client, address)).toBe(0);
    const { headers } = await sendChunk(owner.client, address, 0, bytes).expect(204);
    expect((await downloadFile(here, headers['x-file-id'] as string)).equals(bytes)).toBe(true);
    await createLeftovers().expectNone();
  });
});

function binary(response: unknown, done: (error: Error | null, body: Buffer) => void): void {
  const stream = response as NodeJS.ReadableStream;
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => done(null, Buffer.concat(chunks)));
}
