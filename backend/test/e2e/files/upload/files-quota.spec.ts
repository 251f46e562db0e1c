import { createZone, registerUser, type Actor, type TestZone } from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { buildMultipart, openUpload, uploadFile, postFiles } from './multipart-helpers.js';

const MB = 2 ** 20;

describeInProcess('Uploads near the storage quota', () => {
  let world: World;
  const FREE = 2 ** 30;
  let user: Actor;
  let own: TestZone;

  beforeAll(async () => {
    world = await World.open();
  });
  afterAll(() => world.close());

  const execute = (sql: string, params: unknown[] = []) => world.testApp.em().getConnection().execute(sql, params);
  const readUsage = async () => {
    const sql = `select used, reserved from usage where owner_id = ? and metric = 'bytes'`;
    const [row] = (await execute(sql, [user.id])) as { used: string; reserved: string }[];
    return { used: Number(row!.used), reserved: Number(row!.reserved) };
  };

  beforeEach(async () => {
    user = await registerUser(world);
    own = await createZone(user);
    await uploadFile(user.client, own.id, 'first', 'x');
  });

  const leave = (bytes: number) =>
    execute(`update usage set used = allowed - ? where owner_id = ? and metric = 'bytes'`, [bytes, user.id]);

  it('accept exactly as many of 50 parallel uploads as fit', async () => {
    await leave(20 * 100_000 + 99_999);
    const tries = Array.from({ length: 50 }, (_, n) =>
      postFiles(user.client, own.id, [{ name: `f${n}`, body: Buffer.alloc(100_000) }]),
    );
    const responses = await Promise.all(tries);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20);
    const rejected = responses.filter(({ status }) => status === 403);
    expect(rejected).toHaveLength(30);
    for (const { body } of rejected)
      expect(body).toMatchObject({ code: 'PLAN_LIMIT', planLimit: true, limit: 'bytes', allowed: FREE });
    expect(await readUsage()).toEqual({ used: FREE - 99_999, reserved: 0 });
    const { body } = await user.client.get(`/api/zones/${own.id}/files`).expect(200);
    expect(body).toHaveLength(21);
  });

  it.each([1000, 300_000, 9 * MB + 5])(
    'accept a file of %d bytes that just fits, and not one byte more',
    async (size) => {
      await leave(size);
      await postFiles(user.client, own.id, [{ name: 'more', body: Buffer.alloc(size + 1) }]).expect(403);
      await uploadFile(user.client, own.id, 'fits', Buffer.alloc(size));
      expect(await readUsage()).toEqual({ used: FREE, reserved: 0 });
      await postFiles(user.client, own.id, [{ name: 'one', body: 'x' }]).expect(403);
      await uploadFile(user.client, own.id, 'empty', '');
    },
  );

  it('stop a body of unknown length at the quota', async () => {
    await leave(10 * MB);
    const { type, body } = buildMultipart({ name: 'unknown', body: Buffer.alloc(20 * MB) });
    const upload = openUpload(world, user, own.id, type, null);
    await upload.write(body);
    expect(await upload.status()).toBe(403);
    expect(await readUsage()).toEqual({ used: FREE - 10 * MB, reserved: 0 });
  });

  it('show a zone admin no usage numbers and email the owner once', async () => {
    const helper = await registerUser(world);
    await helper.client
      .post(`/api/public-zones/${own.publicLink}/join`)
      .send({ email: helper.email, emailConsent: true })
      .expect(200);
    await execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [own.id, helper.id]);
    await leave(10);
    for (let n = 0; n < 2; n++) {
      const { body } = await postFiles(helper.client, own.id, [{ name: 'x', body: Buffer.alloc(11) }]).expect(403);
      expect(body.code).toBe('ZONE_FULL');
      expect(body).not.toHaveProperty('allowed');
    }
    const mail = await world.waitForEmail(user.email, ({ subject }) => /storage/i.test(subject));
    expect(mail.text).toContain('1 GB');
    expect((await world.listEmails(user.email)).filter(({ subject }) => /storage/i.test(subject))).toHaveLength(1);
  });
});
