import { createHash, randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buffer } from 'node:stream/consumers';
import { DAY } from '../../src/platform/clock/clock.js';
import { connectionToUrl } from '../../src/platform/database/pool/database-connection.js';
import { CurrentStorage } from '../../src/platform/storage/move/current-storage.js';
import { StorageMoveService } from '../../src/platform/storage/move/storage-move.service.js';
import { StorageDrivers } from '../../src/platform/storage/storage-drivers.js';
import { cookieHeaderOf, creationHeaders, OFFSET_CONTENT_TYPE } from '../e2e/files/upload/files-tus.js';
import { buildMultipart } from '../e2e/files/upload/multipart-helpers.js';
import { S3Server } from '../support/fakes/s3-server.js';
import { createZone, registerUser, uniqueName, type TestZone } from '../support/people/actors.js';
import { minimalEnv, ServerProcess } from '../support/server-process.js';
import { describeInProcess, World } from '../support/world.js';

const SEEDED_FILES = 25;
const TIMEOUT = 180_000;
/** What people do. */
const ACTIONS = 6;
const command = resolve(import.meta.dirname, '../../../dist/backend/src/cli/storage.js');
const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** People who use two processes while the files move: they remember what each file must contain. */
class People {
  /** SHA-256 by file id. */
  readonly files = new Map<number, string>();
  readonly faults: string[] = [];
  /** Completed actions since the start. */
  private operations = 0;
  private turn = 0;
  private isStopped = false;
  private workers: Promise<void>[] = [];
  private readonly busy = new Set<number>();

  /** @param urls of the processes; one that was killed is removed */
  constructor(
    readonly urls: string[],
    private readonly cookie: string,
    private readonly zone: TestZone,
  ) {}

  start(): void {
    this.isStopped = false;
    this.operations = 0;
    this.workers = Array.from({ length: 2 }, () => this.work());
  }

  /** Stops when each action has been performed at least once in the meantime. */
  async stop(): Promise<void> {
    while (this.operations < 2 * ACTIONS) await new Promise((resume) => setTimeout(resume, 20));
    this.isStopped = true;
    await Promise.all(this.workers);
  }

  async upload(bytes = randomBytes(this.nextSize())): Promise<void> {
    const { type, body } = buildMultipart({ name: `${uniqueName('file')}.bin`, body: bytes });
    const answer = await this.call('POST', `/api/zones/${this.zone.id}/files`, { 'Content-Type': type }, body);
    if (this.expect(answer, 201)) this.files.set(answer.json()[0]!.id, digestOf(bytes));
  }

  async check(id: number): Promise<void> {
    const expected = this.files.get(id);
    const answer = await this.call('GET', `/api/files/${id}/view`);
    if (this.expect(answer, 200) && digestOf(answer.body) !== expected) this.faults.push(`file ${id} has other bytes`);
  }

  private async work(): Promise<void> {
    const actions = [
      () => this.upload(),
      () => this.uploadInSteps(),
      () => this.withFile((id) => this.check(id)),
      () => this.withFile((id) => this.check(id)),
      () => this.withFile((id) => this.replace(id)),
      () => this.withFile((id) => this.remove(id)),
    ];
    while (!this.isStopped) {
      await this.pick(actions)();
      this.operations++;
      // Leaves the machine to the processes that are tested.
      await new Promise((resume) => setTimeout(resume, 300));
    }
  }

  private nextSize(): number {
    return 3 + ((this.turn * 7919) % 50_000);
  }

  /** Picks in turn, so that every run does the same. */
  private pick<T>(choices: readonly T[]): T {
    return choices[this.turn++ % choices.length]!;
  }

  private async uploadInSteps(): Promise<void> {
    const bytes = randomBytes(this.nextSize());
    const metadata = { filename: `${uniqueName('steps')}.bin`, zoneId: this.zone.id };
    const created = await this.call('POST', '/api/uploads', creationHeaders(metadata, bytes.length));
    if (!this.expect(created, 201)) return;
    const middle = Math.floor(bytes.length / 2);
    for (const [start, end] of [
      [0, middle],
      [middle, bytes.length],
    ] as const) {
      const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Offset': String(start), 'Content-Type': OFFSET_CONTENT_TYPE };
      const path = created.headers.get('location')!;
      const answer = await this.call('PATCH', path, headers, bytes.subarray(start, end));
      if (!this.expect(answer, 204)) return;
      const id = answer.headers.get('x-file-id');
      if (id !== null) this.files.set(Number(id), digestOf(bytes));
    }
  }

  private async replace(id: number): Promise<void> {
    const bytes = randomBytes(this.nextSize());
    const { type, body } = buildMultipart({ field: 'file', name: 'file.bin', body: bytes });
    const answer = await this.call('POST', `/api/files/${id}/versions`, { 'Content-Type': type }, body);
    if (this.expect(answer, 201)) this.files.set(id, digestOf(bytes));
    // A killed process may have stored it or not.
    else this.files.delete(id);
  }

  private async remove(id: number): Promise<void> {
    this.files.delete(id);
    this.expect(await this.call('DELETE', `/api/files/${id}`), 204);
    const body = JSON.stringify({ all: true });
    const purged = await this.call(
      'POST',
      `/api/zones/${this.zone.id}/trash/purge`,
      { 'Content-Type': 'application/json' },
      body,
    );
    this.expect(purged, 200);
  }

  /** Runs `work` with a new file. */
  private async withFile(work: (id: number) => Promise<void>): Promise<void> {
    const free = [...this.files.keys()].filter((id) => !this.busy.has(id));
    if (free.length < 10) return;
    const id = this.pick(free);
    this.busy.add(id);
    await work(id).finally(() => this.busy.delete(id));
  }

  /** Returns whether a request succeeded. Without an answer its process was killed; any other answer is a fault. */
  private expect(answer: Answer | null, status: number): answer is Answer {
    if (answer && answer.status !== status) {
      this.faults.push(`${answer.what}: ${answer.status} ${answer.body.toString('utf8', 0, 200)}`);
    }
    return answer?.status === status;
  }

  private async call(method: string, path: string, headers = {}, body?: Buffer | string): Promise<Answer | null> {
    const url = this.pick(this.urls);
    try {
      const response = await fetch(url + path, {
        method,
        headers: { Cookie: this.cookie, 'Sec-Fetch-Site': 'same-origin', ...headers },
        body: body as never,
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      const json = () => JSON.parse(String(bytes)) as { id: number }[];
      return { what: `${method} ${path}`, status: response.status, headers: response.headers, body: bytes, json };
    } catch (error) {
      if (this.urls.includes(url)) this.faults.push(`${method} ${path}: no answer (${String(error)})`);
      return null;
    }
  }
}

interface Answer {
  readonly what: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  json(): { id: number }[];
}

describeInProcess('npm run storage -- move', () => {
  let world: World;
  let server: S3Server;
  let folder: string;
  const servers: ServerProcess[] = [];

  beforeAll(async () => {
    process.env.AWS_ACCESS_KEY_ID = S3Server.credentials.accessKeyId;
    process.env.AWS_SECRET_ACCESS_KEY = S3Server.credentials.secretAccessKey;
    folder = await mkdtemp(join(tmpdir(), 'zonary-moves-'));
    server = await S3Server.start('zonary-test');
    world = await World.open({ STORAGE_URL: pathToFileURL(join(folder, 'first')).href });
    world.testApp.clock.useRealTime();
  }, TIMEOUT);
  afterAll(async () => {
    for (const product of servers) await product.kill();
    await world.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
    delete process.env.AWS_ACCESS_KEY_ID;
    delete process.env.AWS_SECRET_ACCESS_KEY;
  }, TIMEOUT);

  const env = (storageUrl: string) => {
    const { connection, config } = world.testApp;
    return {
      DATABASE_URL: connectionToUrl(connection),
      DATA_DIR: config.dataDir,
      APP_SECRET: config.appSecret,
      STORAGE_URL: storageUrl,
      RATE_LIMIT: 'off',
      AWS_ACCESS_KEY_ID: S3Server.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: S3Server.credentials.secretAccessKey,
    };
  };
  const startServer = async (storageUrl: string) => {
    const product = ServerProcess.start(env(storageUrl));
    servers.push(product);
    return new URL(await product.waitUntilReady()).origin.replace('localhost', '127.0.0.1');
  };
  const startCommand = (storageUrl: string, ...args: string[]) => {
    const child = spawn(process.execPath, [command, ...args], {
      env: { ...minimalEnv(), ...env(storageUrl) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ServerProcess(child);
  };
  const query = <T extends object>(sql: string) => world.testApp.em().execute<T[]>(sql);
  const isOpen = async (condition: string) =>
    (await query(`select 1 from storage_moves where ended_at is null and (${condition})`)).length > 0;
  const waitUntilCopying = async () => {
    while (!(await isOpen(`cursor <> '' or state <> 'copying'`))) await new Promise((done) => setTimeout(done, 5));
  };
  /** A killed process counts as running for a minute. */
  const forgetKilled = (url: string) =>
    query(`update instances set seen_at = now() - interval '2 minutes' where port = ${new URL(url).port}`);
  const expectComplete = async (storageUrl: string, people: People) => {
    for (const id of people.files.keys()) await people.check(id);
    expect(people.faults).toEqual([]);
    await world.testApp.app.get(CurrentStorage).refresh();
    await world.testApp.drain();
    const storage = await world.testApp.app.get(StorageDrivers).open(storageUrl);
    const rows = await query<{ object_key: string; sha256: string; storage_type: string }>(
      'select object_key, sha256, storage_type from files union all select object_key, sha256, storage_type from file_versions',
    );
    for (const { object_key: key, sha256 } of rows) {
      const digest = await storage.read(key).then(buffer, () => null);
      expect([key, digest && digestOf(digest)]).toEqual([key, sha256]);
    }
    expect(new Set(rows.map((row) => row.storage_type))).toEqual(new Set([storage.type]));
    const keys = new Set(rows.map((row) => row.object_key));
    const left: string[] = [];
    for await (const { key } of storage.list('files/')) if (!keys.has(key)) left.push(key);
    return left;
  };

  it(
    'moves from a folder to a bucket and back, while people work and processes are killed',
    async () => {
      const [first, bucket] = [world.testApp.config.storageUrl, `s3://zonary-test/objects?endpoint=${server.url}`];
      const owner = await registerUser(world);
      const zone = await createZone(owner);
      const people = new People(
        await Promise.all([startServer(first), startServer(first)]),
        cookieHeaderOf(owner, world.url),
        zone,
      );
      await Promise.all(Array.from({ length: SEEDED_FILES }, () => people.upload()));
      people.start();

      const killed = startCommand(first, 'move', '--to', bucket);
      await waitUntilCopying();
      await killed.kill();
      const moving = startCommand(first, 'move');
      const [victim] = people.urls.splice(0, 1);
      await servers[0]!.kill();
      await forgetKilled(victim!);
      people.urls.push(await startServer(first));
      expect([await moving.exitCode, moving.output]).toEqual([0, expect.stringContaining(`Set STORAGE_URL=${bucket}`)]);
      await people.stop();
      await world.testApp.app.get(CurrentStorage).refresh();
      await world.testApp.app.get(StorageMoveService).finish({ slot: '' }, signalOf());
      const leftInBucket = await expectComplete(bucket, people);

      for (const product of servers.splice(0)) await product.kill();
      for (const url of people.urls.splice(0)) await forgetKilled(url);
      people.urls.push(...(await Promise.all([startServer(bucket), startServer(bucket)])));
      await query(`update storage_moves set switched_at = switched_at - ${DAY} * interval '1 millisecond'`);
      await world.testApp.app.get(StorageMoveService).finish({ slot: '' }, signalOf());
      expect(await isOpen('true')).toBe(false);

      people.start();
      const back = startCommand(bucket, 'move', '--to', first);
      expect([await back.exitCode, back.output]).toEqual([0, expect.stringContaining(`Set STORAGE_URL=${first}`)]);
      await people.stop();
      await world.testApp.app.get(CurrentStorage).refresh();
      await world.testApp.app.get(StorageMoveService).finish({ slot: '' }, signalOf());
      const leftInFolder = await expectComplete(first, people);
      // Only of requests that the killed process had begun.
      expect([leftInBucket.length, leftInFolder.length].every((count) => count <= 8)).toBe(true);
    },
    TIMEOUT,
  );
});

const signalOf = () => ({ signal: new AbortController().signal }) as never;
