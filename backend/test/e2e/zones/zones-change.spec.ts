import { createZone, joinPublicZone, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';

let world: World;
let owner: Actor;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  owner = await registerUser(world);
});
afterAll(() => world.close());

describe('PATCH /api/zones/:id', () => {
  it('changes name, description and options', async () => {
    const zone = await createZone(owner);
    const change = { name: ' New name ', description: 'More', autoJoin: false, requiresEmailOptin: false };
    const { body } = await owner.client.patch(`/api/zones/${zone.id}`).send(change).expect(200);
    expect(body).toMatchObject({ ...change, name: 'New name', publicLink: zone.publicLink });
    const same = await owner.client.patch(`/api/zones/${zone.id}`).send({}).expect(200);
    expect(same.body).toMatchObject({ ...change, name: 'New name' });
    await owner.client.patch(`/api/zones/${zone.id}`).send({ name: ' ' }).expect(400);
    await owner.client.patch(`/api/zones/${zone.id}`).send({ ownerId: 1 }).expect(400);
  });

  it('returns 409 for an outdated version', async () => {
    const zone = await createZone(owner);
    const change = (body: object) => owner.client.patch(`/api/zones/${zone.id}`).send(body);
    const { body: seen } = await owner.client.get(`/api/zones/${zone.id}`).expect(200);
    const first = await change({ name: 'First', version: seen.version }).expect(200);
    expect(first.body.version).toBe(seen.version + 1);
    const late = await change({ name: 'Second', version: seen.version }).expect(409);
    expect(late.body.code).toBe('ZONE_CHANGED');
    expect((await owner.client.get(`/api/zones/${zone.id}`)).body).toMatchObject({ name: 'First' });
    // Without a change the version stays, and requests without a version aren't checked.
    const same = await change({ name: 'First', version: first.body.version }).expect(200);
    expect(same.body.version).toBe(first.body.version);
    expect((await change({ description: 'Words' }).expect(200)).body.version).toBe(first.body.version + 1);
    for (const version of [0, -1, 1.5, '1', null, 2 ** 31]) await change({ name: 'Bad', version }).expect(400);
  });

  it('accepts one of many concurrent changes of the same version', async () => {
    const zone = await createZone(owner);
    const { version } = (await owner.client.get(`/api/zones/${zone.id}`)).body;
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        owner.client.patch(`/api/zones/${zone.id}`).send({ name: `Name ${n}`, version }),
      ),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  });

  it('ends the link when made private, creates a new one when public, and keeps members', async () => {
    const zone = await createZone(owner);
    const member = await registerUser(world);
    await joinPublicZone(zone, member);
    const closed = await owner.client.patch(`/api/zones/${zone.id}`).send({ type: 'private' }).expect(200);
    expect(closed.body).toMatchObject({ type: 'private', publicLink: null, memberCount: 1 });
    await world.createClient().get(`/api/public-zones/${zone.publicLink}`).expect(404);
    await member.client.get(`/api/zones/${zone.id}`).expect(200);
    const open = await owner.client.patch(`/api/zones/${zone.id}`).send({ type: 'public' }).expect(200);
    expect(open.body.publicLink).not.toBe(zone.publicLink);
  });

  it('is restricted to the owner', async () => {
    const zone = await createZone(owner);
    const member = await registerUser(world);
    await joinPublicZone(zone, member);
    await member.client.patch(`/api/zones/${zone.id}`).send({ name: 'Mine' }).expect(403);
    await member.client.delete(`/api/zones/${zone.id}`).expect(403);
  });
});

describe('POST /api/zones/:id/toggle-favorite', () => {
  it('sets the favourite for each viewer separately', async () => {
    const zone = await createZone(owner);
    const member = await registerUser(world);
    await joinPublicZone(zone, member);
    const toggle = (actor: Actor) => actor.client.post(`/api/zones/${zone.id}/toggle-favorite`).expect(200);
    expect((await toggle(member)).body).toEqual({ isFavorite: true });
    expect((await owner.client.get(`/api/zones/${zone.id}`)).body.isFavorite).toBe(false);
    expect((await toggle(member)).body).toEqual({ isFavorite: false });
  });
});

describe('DELETE /api/zones/:id', () => {
  it('hides the zone from everyone at once and frees its quota', async () => {
    const zone = await createZone(owner);
    const member = await registerUser(world);
    await joinPublicZone(zone, member);
    await owner.client.delete(`/api/zones/${zone.id}`).expect(204);
    await owner.client.get(`/api/zones/${zone.id}`).expect(404);
    await member.client.get(`/api/zones/${zone.id}`).expect(404);
    expect((await member.client.get('/api/shared-zones')).body).toEqual([]);
    await world.createClient().get(`/api/public-zones/${zone.publicLink}`).expect(404);
    await owner.client.delete(`/api/zones/${zone.id}`).expect(404);
    await createZone(owner);
  });
});

describeInProcess('Data after zone deletion', () => {
  const readUsage = async (actor: Actor, metric: string) => {
    const sql = 'select used from usage where owner_id = ? and metric = ?';
    const [row] = await world.testApp.em().execute(sql, [actor.id, metric]);
    return Number(row?.used ?? 0);
  };
  const put = (zone: TestZone, name: string) =>
    owner.client.post(`/api/zones/${zone.id}/files`).attach('files', Buffer.from('some bytes'), name).expect(201);

  it('leaves no rows, objects or usage, and members of other zones still count', async () => {
    await world.testApp.em().execute(`update users set plan = 'creator' where id = ?`, [owner.id]);
    const [deletedZone, other] = [await createZone(owner), await createZone(owner)];
    const [both, one] = [await registerUser(world), await registerUser(world)];
    await joinPublicZone(deletedZone, both);
    await joinPublicZone(other, both);
    await joinPublicZone(deletedZone, one);
    await put(deletedZone, 'a.txt');
    await put(deletedZone, 'b.txt');
    await put(other, 'kept.txt');
    expect([
      await readUsage(owner, 'people'),
      await readUsage(owner, 'bytes'),
      await readUsage(owner, 'zones'),
    ]).toEqual([2, 30, 2]);

    await Promise.all([1, 2, 3].map(() => owner.client.delete(`/api/zones/${deletedZone.id}`)));
    await world.testApp.drain();
    await world.testApp.drain();

    expect([
      await readUsage(owner, 'people'),
      await readUsage(owner, 'bytes'),
      await readUsage(owner, 'zones'),
    ]).toEqual([1, 10, 1]);
    const em = world.testApp.em();
    expect(await em.execute('select id from zones where id = ?', [deletedZone.id])).toEqual([]);
    expect(await em.execute('select id from files where zone_id = ?', [deletedZone.id])).toEqual([]);
    const { Storage } = await import('../../../src/platform/storage/storage.js');
    const keys: string[] = [];
    for await (const { key } of world.testApp.app.get(Storage).list('')) keys.push(key);
    expect(keys).toHaveLength(1);
  });

  it('keeps consents, leave records and sent reports for those concerned', async () => {
    const zone = await createZone(owner, { name: 'Doomed' });
    const [member, leaver, admin] = [await registerUser(world), await registerUser(world), await registerUser(world)];
    const em = world.testApp.em();
    await em.execute(`update users set role = 'admin' where id = ?`, [admin.id]);
    for (const person of [member, leaver]) await joinPublicZone(zone, person);
    await leaver.client.post(`/api/zones/${zone.id}/leave`).send({}).expect(200);
    const add = async (subject: string, status: string, recipients: number) => {
      const [row] = await em.execute<{ id: string }[]>(
        `insert into campaigns (zone_id, sent_by_id, name, subject, html_content, status, recipient_count, delivered_count,
           created_at, updated_at) values (?, ?, ?, ?, '<p>x</p>', ?, ?, ?, now(), now()) returning id`,
        [zone.id, owner.id, subject, subject, status, recipients, recipients],
      );
      return Number(row!.id);
    };
    const [sent, draft] = [await add('Sent', 'sent', 1), await add('A draft', 'draft', 0)];
    await em.execute(
      `insert into deliveries (campaign_id, user_id, state, run_at, sent_at) values (?, ?, 'delivered', now(), now())`,
      [sent, member.id],
    );
    const whole = { zoneName: 'Doomed', isZoneDeleted: false };
    expect((await owner.client.get(`/api/campaigns/${sent}`).expect(200)).body).toMatchObject(whole);

    await owner.client.delete(`/api/zones/${zone.id}`).expect(204);
    const left = { id: sent, subject: 'Sent', zoneName: 'Doomed', isZoneDeleted: true };
    for (const isPurged of [false, true]) {
      if (isPurged) await world.testApp.drain();
      const { body } = await owner.client.get('/api/campaigns').expect(200);
      expect((body as { zoneId: number }[]).filter(({ zoneId }) => zoneId === zone.id)).toMatchObject([left]);
      expect((await owner.client.get(`/api/campaigns/${sent}`).expect(200)).body.can).toMatchObject({
        seeReport: true,
      });
      const report = await owner.client.get(`/api/campaigns/${sent}/report`).expect(200);
      expect(report.body).toMatchObject({ deliveredCount: 1, subject: 'Sent' });
      await owner.client.get(`/api/campaigns/${sent}/deliveries`).expect(200);
      await owner.client.get(`/api/campaigns/${draft}`).expect(404);
      for (const action of ['cancel', 'retry-failed', 'send']) {
        await owner.client.post(`/api/campaigns/${sent}/${action}`).send({}).expect(404);
      }
      await member.client.get(`/api/campaigns/${sent}/report`).expect(404);
      await admin.client.get(`/api/campaigns/${sent}/report`).expect(404);
      await world.createClient().get(`/api/campaigns/${sent}/report`).expect(401);
    }
    expect(await em.execute('select id from zones where id = ?', [zone.id])).toEqual([]);
    expect(await em.execute('select id from campaigns where zone_id = ?', [zone.id])).toMatchObject([{ id: sent }]);

    const { body: hers } = await member.client.get('/api/user/export').expect(200);
    expect(hers.consents).toMatchObject([{ zoneId: zone.id, zoneName: 'Doomed', text: expect.any(String) }]);
    expect(hers.receivedMails).toMatchObject([{ zoneName: 'Doomed', subject: 'Sent' }]);
    const { body: theirs } = await leaver.client.get('/api/user/export').expect(200);
    for (const list of [theirs.consents, theirs.unsubscribes, theirs.leaves]) {
      expect(list).toMatchObject([{ zoneId: zone.id, zoneName: 'Doomed' }]);
    }
  });

  it('keeps proof of consent that only super admins can see', async () => {
    const zone = await createZone(owner, { name: 'Gone' });
    const [member, admin, ruler] = [await registerUser(world), await registerUser(world), await registerUser(world)];
    const em = world.testApp.em();
    await em.execute(`update users set role = 'admin' where id = ?`, [admin.id]);
    await em.execute('update users set is_super_admin = true where id = ?', [ruler.id]);
    await joinPublicZone(zone, member);
    await owner.client.delete(`/api/zones/${zone.id}`).expect(204);
    await world.testApp.drain();
    const path = `/api/admin/users/${member.id}/consents`;
    for (const client of [owner.client, member.client, admin.client]) await client.get(path).expect(403);
    await world.createClient().get(path).expect(401);
    const { body } = await ruler.client.get(path).expect(200);
    expect(body).toMatchObject([
      { zoneId: zone.id, zoneName: 'Gone', zoneDeletedAt: expect.any(String), method: expect.any(String) },
    ]);
    await ruler.client.get('/api/admin/users/999999999/consents').expect(404);
    const auditEntries = await em.execute(
      `select actor_id, subject_id, params from audit_log where type = 'user.consents-read'`,
    );
    expect(auditEntries).toMatchObject([{ actor_id: ruler.id, subject_id: member.id }]);
    expect(JSON.stringify(auditEntries)).not.toContain(member.email);
  });
});
