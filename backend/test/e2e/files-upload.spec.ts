import { request, type ClientRequest } from 'node:http';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createZone, register, unique, type Actor, type TestZone } from '../support/actors.js';
import { describeInProcess, World } from '../support/world.js';
import { form, makeFolder, put, send } from './files-forms.js';

let world: World;
let owner: Actor;
let zone: TestZone;

beforeAll(async () => {
  world = await World.open();
  owner = await register(world);
  zone = await createZone(owner);
});
afterAll(() => world.close());

const MB = 2 ** 20;
const list = async (query = '') => (await owner.client.get(`/api/zones/${zone.id}/files${query}`).expect(200)).body;

describe('an upload that cannot be', () => {
  const post = (type: string, body: Buffer | string) =>
    owner.client.post(`/api/zones/${zone.id}/files`).set('Content-Type', type).send(body);

  it.each([
    ['without files', form(), 'NO_FILES'],
    ['with fields only', form({ field: 'folderId', body: '' }), 'NO_FILES'],
    ['with an unknown field', form({ field: 'color', body: 'red' }, { name: 'a', body: 'x' }), 'VALIDATION_FAILED'],
    [
      'with a folder that is none',
      form({ field: 'folderId', body: 'x' }, { name: 'a', body: 'x' }),
      'VALIDATION_FAILED',
    ],
    [
      'with a rule that is none',
      form({ field: 'onConflict', body: 'x' }, { name: 'a', body: 'x' }),
      'VALIDATION_FAILED',
    ],
    [
      'with a field after the files',
      form({ name: 'a', body: 'x' }, { field: 'folderId', body: '1' }),
      'VALIDATION_FAILED',
    ],
    ['with files in another field', form({ field: 'file', name: 'a', body: 'x' }), 'VALIDATION_FAILED'],
    ['without a boundary', { type: 'multipart/form-data', body: 'x' }, 'UPLOAD_MALFORMED'],
    ['that is no form', { type: 'multipart/form-data; boundary=x', body: 'this is no form' }, 'UPLOAD_MALFORMED'],
    [
      'that ends in a file',
      { ...form({ name: 'a', body: 'x' }), body: form({ name: 'a', body: 'x' }).body.subarray(0, -30) },
      'UPLOAD_MALFORMED',
    ],
    [
      'of more files than one request takes',
      form(...Array.from({ length: 201 }, (_, n) => ({ name: `f${n}`, body: 'x' }))),
      'TOO_MANY_FILES',
    ],
  ])('is refused %s', async (_how, { type, body }, code) => {
    expect((await post(type, body).expect(400)).body.code).toBe(code);
    expect(await list()).toEqual([]);
  });

  it('is refused as JSON or as another type', async () => {
    expect((await post('application/json', '{}').expect(415)).body.code).toBe('UNSUPPORTED_TYPE');
    await post('text/plain', 'x').expect(415);
  });

  it('is refused when a file passes 100 MB, with an answer that the sender can read, on a connection that goes on', async () => {
    const parts = [
      { name: 'fits.bin', body: 'x' },
      { name: 'large.bin', body: Buffer.alloc(100 * MB + 1) },
    ];
    const { body } = await send(owner.client, zone.id, parts).expect(413);
    expect(body).toMatchObject({ code: 'FILE_TOO_LARGE', message: expect.stringContaining('100 MB') });
    expect(await list()).toEqual([]);
  });
});

describe('an upload of 100 MB', () => {
  it('is stored to the last byte', async () => {
    const { id, size } = await put(owner.client, zone.id, unique('large'), Buffer.alloc(100 * MB, 'x'));
    expect(size).toBe(100 * MB);
    const end = await owner.client
      .get(`/api/files/${id}/view`)
      .set('Range', `bytes=${100 * MB - 2}-`)
      .expect(206);
    expect(end.text).toBe('xx');
    await owner.client.delete(`/api/files/${id}`).expect(204);
  });
});

describe('an upload over a slow line', () => {
  it('is stored when its parts, and the pieces of its parts, come one by one', async () => {
    const folderId = await makeFolder(owner.client, zone.id, unique('slow'));
    const { type, body } = form(
      { field: 'folderId', body: String(folderId) },
      { name: 'one.txt', body: 'first' },
      { name: 'two.txt', body: 'second' },
      { name: 'three.txt', body: 'third' },
    );
    const upload = await open(type, body.length);
    for (let at = 0; at < body.length; at += 40) await upload.write(body.subarray(at, at + 40));
    expect(await upload.status()).toBe(201);
    expect((await list(`?folderId=${folderId}`)).map((file: { name: string }) => file.name)).toEqual([
      'one.txt',
      'three.txt',
      'two.txt',
    ]);
  });
});

describeInProcess('what uploads leave behind', () => {
  const execute = (sql: string, params: unknown[] = []) => world.inside.em().getConnection().execute(sql, params);
  const objects = async () => {
    const entries = await readdir(join(world.inside.config.dataDir, 'files'), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).length;
  };
  const usage = async (ownerId: number) => {
    const sql = `select used, reserved from usage where owner_id = ? and metric = 'bytes'`;
    const [row] = (await execute(sql, [ownerId])) as { used: string; reserved: string }[];
    return { used: Number(row?.used ?? 0), reserved: Number(row?.reserved ?? 0) };
  };
  const traces = async (ownerId: number) => ({
    objects: await objects(),
    intents: (await execute('select id from uploads where owner_id = ?', [ownerId])).length,
    ...(await usage(ownerId)),
  });

  it('nothing, when the connection is cut', async () => {
    const before = await traces(owner.id);
    const { type, body } = form({ name: 'whole.txt', body: 'x' }, { name: 'cut.bin', body: Buffer.alloc(20 * MB) });
    const upload = await open(type, body.length);
    await upload.write(body.subarray(0, 9 * MB));
    await until(async () => (await traces(owner.id)).reserved > before.reserved + 8 * MB);
    expect((await traces(owner.id)).intents).toBe(2);
    upload.cut();
    await until(async () => (await traces(owner.id)).intents === 0);
    expect(await traces(owner.id)).toEqual(before);
    expect(await list()).toEqual([]);
  });

  it('nothing, when the request is refused', async () => {
    await put(owner.client, zone.id, 'taken.txt', 'x');
    const before = await traces(owner.id);
    const large = Buffer.alloc(MB);
    for (const parts of [
      [
        { name: 'a', body: large },
        { name: 'taken.txt', body: large },
      ],
      [
        { name: 'a', body: large },
        { name: '..', body: large },
      ],
      [
        { name: 'a', body: large },
        { field: 'folderId', body: '1' },
      ],
    ]) {
      const { status } = await send(owner.client, zone.id, parts);
      expect([400, 409]).toContain(status);
      expect(await traces(owner.id)).toEqual(before);
    }
  });

  it('nothing, when the process dies: the sweep finds it by its intent', async () => {
    const before = await traces(owner.id);
    const { type, body } = form({ name: 'never.bin', body: Buffer.alloc(12 * MB) });
    const upload = await open(type, body.length);
    await upload.write(body.subarray(0, 9 * MB));
    await until(async () => (await usage(owner.id)).reserved > before.reserved);
    await execute(`update uploads set lease_until = now() - interval '1 minute' where owner_id = ?`, [owner.id]);
    await runSweep();
    expect(await usage(owner.id)).toEqual({ used: before.used, reserved: before.reserved });
    await upload.write(body.subarray(9 * MB));
    expect(await upload.status()).toBe(409);
    await until(async () => (await objects()) === before.objects);
    expect(await traces(owner.id)).toEqual(before);
  });

  it('as many bytes used as were stored', async () => {
    const somebody = await register(world);
    const own = await createZone(somebody);
    await put(somebody.client, own.id, 'a.bin', Buffer.alloc(3 * MB));
    const { id } = await put(somebody.client, own.id, 'empty', '');
    await put(somebody.client, own.id, 'b.bin', Buffer.alloc(12_345));
    expect(await usage(somebody.id)).toEqual({ used: 3 * MB + 12_345, reserved: 0 });
    await somebody.client.delete(`/api/files/${id}`).expect(204);
    expect(await usage(somebody.id)).toEqual({ used: 3 * MB + 12_345, reserved: 0 });
    const [stats] = await execute('select bytes, files from zone_stats where zone_id = ?', [own.id]);
    expect(stats).toMatchObject({ files: 2 });
    expect(Number(stats!.bytes)).toBe(3 * MB + 12_345);
  });

  async function runSweep(): Promise<void> {
    const { SweepUploadsHandler } = await import('../../src/modules/files/sweep-uploads.handler.js');
    const { RequestContext } = await import('@mikro-orm/core');
    const handler = world.inside.app.get(SweepUploadsHandler, { strict: false });
    const job = { id: 1, attempt: 1, isLastAttempt: false, signal: new AbortController().signal };
    await RequestContext.create(world.inside.em(), () => handler.handle({ slot: '' }, job));
  }

  describe('when the plan is nearly full', () => {
    const FREE = 2 ** 30;
    let somebody: Actor;
    let own: TestZone;

    beforeEach(async () => {
      somebody = await register(world);
      own = await createZone(somebody);
      await put(somebody.client, own.id, 'first', 'x');
    });

    const leave = (bytes: number) =>
      execute(`update usage set used = allowed - ? where owner_id = ? and metric = 'bytes'`, [bytes, somebody.id]);

    it('takes exactly as many of 50 parallel uploads as fit', async () => {
      await leave(20 * 100_000 + 99_999);
      const tries = Array.from({ length: 50 }, (_, n) =>
        send(somebody.client, own.id, [{ name: `f${n}`, body: Buffer.alloc(100_000) }]),
      );
      const answers = await Promise.all(tries);
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
      const refused = answers.filter(({ status }) => status === 403);
      expect(refused).toHaveLength(30);
      for (const { body } of refused)
        expect(body).toMatchObject({ code: 'PLAN_LIMIT', planLimit: true, limit: 'bytes', allowed: FREE });
      expect(await usage(somebody.id)).toEqual({ used: FREE - 99_999, reserved: 0 });
      const { body } = await somebody.client.get(`/api/zones/${own.id}/files`).expect(200);
      expect(body).toHaveLength(21);
    });

    it.each([1000, 300_000, 9 * MB + 5])(
      'takes a file of %d bytes into the last place, and not one byte more',
      async (size) => {
        await leave(size);
        await send(somebody.client, own.id, [{ name: 'more', body: Buffer.alloc(size + 1) }]).expect(403);
        await put(somebody.client, own.id, 'fits', Buffer.alloc(size));
        expect(await usage(somebody.id)).toEqual({ used: FREE, reserved: 0 });
        await send(somebody.client, own.id, [{ name: 'one', body: 'x' }]).expect(403);
        await put(somebody.client, own.id, 'empty', '');
      },
    );

    it('stops a body of unknown length where the plan ends', async () => {
      await leave(10 * MB);
      const { type, body } = form({ name: 'unknown', body: Buffer.alloc(20 * MB) });
      const upload = await open(type, null, somebody, own.id);
      await upload.write(body);
      expect(await upload.status()).toBe(403);
      expect(await usage(somebody.id)).toEqual({ used: FREE - 10 * MB, reserved: 0 });
    });

    it('tells a zone admin no figures, and the owner by mail, once', async () => {
      const helper = await register(world);
      await helper.client
        .post(`/api/public-zones/${own.publicLink}/join`)
        .send({ email: helper.email, emailConsent: true })
        .expect(200);
      await execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [own.id, helper.id]);
      await leave(10);
      for (let n = 0; n < 2; n++) {
        const { body } = await send(helper.client, own.id, [{ name: 'x', body: Buffer.alloc(11) }]).expect(403);
        expect(body.code).toBe('ZONE_FULL');
        expect(body).not.toHaveProperty('allowed');
      }
      const mail = await world.mailTo(somebody.email, ({ subject }) => /storage/i.test(subject));
      expect(mail.text).toContain('1 GB');
      expect((await world.mails(somebody.email)).filter(({ subject }) => /storage/i.test(subject))).toHaveLength(1);
    });
  });
});

/** Waits for something that must come true. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** An upload written by hand; each `write` returns when the bytes have left. */
async function open(type: string, length: number | null, actor = owner, zoneId = zone.id) {
  const { body } = await actor.client.get('/api/user').expect(200);
  expect(body.id).toBe(actor.id);
  const cookie = actor.client.jar.getCookies({ domain: '127.0.0.1', path: '/', secure: false, script: false } as never);
  const call: ClientRequest = request(`${world.url}/api/zones/${zoneId}/files`, {
    method: 'POST',
    headers: {
      'Content-Type': type,
      'Sec-Fetch-Site': 'same-origin',
      Cookie: cookie.toValueString(),
      ...(length === null ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': length }),
    },
  });
  call.setNoDelay(true);
  const status = new Promise<number>((resolve, reject) => {
    call.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode!));
    });
    call.on('error', reject);
  });
  status.catch(() => undefined);
  let sent = 0;
  return {
    write: async (bytes: Buffer) => {
      sent += bytes.length;
      await new Promise<void>((resolve, reject) => call.write(bytes, (error) => (error ? reject(error) : resolve())));
      await new Promise((resolve) => setImmediate(resolve));
      if (sent === length || length === null) call.end();
    },
    cut: () => call.destroy(),
    status: () => status,
  };
}
