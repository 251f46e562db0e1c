import { UnsubscribeLinkService } from '../../../src/modules/zones/leaving/unsubscribe-link.service.js';
import { createZone, joinPublicZone, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { runConcurrently, countStatuses } from '../auth/account-helpers.js';

const DAY = 86_400_000;

let world: World;
let owner: Actor;
let zone: TestZone;
let member: Actor;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  member = await registerUser(world);
  owner = await registerUser(world);
  zone = await createZone(owner);
  await joinPublicZone(zone, member);
});
afterAll(() => world.close());

const leave = (actor: Actor, body: object = {}) => actor.client.post(`/api/zones/${zone.id}/leave`).send(body);
const memberCount = async () => (await owner.client.get(`/api/zones/${zone.id}`).expect(200)).body.memberCount;

describe('POST /api/zones/:id/leave', () => {
  it('ends access, emails and membership at once and stores the reason', async () => {
    expect(await memberCount()).toBe(1);
    const { body } = await leave(member, { reason: '  Too many <b>mails</b> ' }).expect(200);
    expect(body).toEqual({ zoneId: zone.id, isPublic: true });
    await member.client.get(`/api/zones/${zone.id}`).expect(404);
    expect((await member.client.get('/api/shared-zones')).body.map(({ id }: TestZone) => id)).not.toContain(zone.id);
    expect(await memberCount()).toBe(0);
    await leave(member).expect(404);
  });

  it.each([[{ reason: 'x'.repeat(501) }], [{ reason: 5 }], [{ reason: null }], [{ why: 'x' }]])(
    'rejects %j and changes nothing',
    async (body) => {
      await leave(member, body).expect(400);
      expect(await memberCount()).toBe(1);
    },
  );

  it('is restricted to members', async () => {
    await leave(owner).expect(403);
    await leave(await registerUser(world)).expect(404);
    await world.createClient().post(`/api/zones/${zone.id}/leave`).expect(401);
  });

  it('allows two leaves of a public zone a year and then points to the unsubscribe link', async () => {
    await leave(member).expect(200);
    await joinPublicZone(zone, member);
    await leave(member).expect(200);
    await joinPublicZone(zone, member);
    const { body } = await leave(member).expect(409);
    expect(body.code).toBe('LEAVE_LIMIT');
    const token = /\/unsubscribe\/(\S+)$/.exec(body.message)![1]!;
    expect(await memberCount()).toBe(1);
    await world.createClient().post(`/api/unsubscribe/${token}`).expect(200);
    expect(await memberCount()).toBe(0);
  });

  it('leaves once for concurrent requests', async () => {
    const responses = await runConcurrently(20, () => leave(member));
    expect(Object.keys(countStatuses(responses)).every((status) => ['200', '404'].includes(status))).toBe(true);
    expect(await memberCount()).toBe(0);
    await joinPublicZone(zone, member);
    expect(await memberCount()).toBe(1);
  });
});

describeInProcess('Leave records', () => {
  const rows = (sql: string, values: unknown[] = []) =>
    world.testApp.em().execute(sql, values) as Promise<Record<string, unknown>[]>;
  const token = (userId = member.id) =>
    world.testApp.app.get(UnsubscribeLinkService).createToken({ userId, zoneId: zone.id });
  const listUnsubscribes = () =>
    rows('select reason from email_unsubscribes where zone_id = ? and user_id = ?', [zone.id, member.id]);
  const readUsedPeople = async () => {
    const [row] = await rows(`select used from usage where owner_id = ? and metric = 'people'`, [owner.id]);
    return Number(row!.used);
  };
  const visitor = () => world.createClient();

  it('hold the reason and zone type, and rejoining with consent ends the unsubscribe', async () => {
    await leave(member, { reason: 'Enough' }).expect(200);
    expect(await listUnsubscribes()).toEqual([{ reason: 'Enough' }]);
    expect(await rows('select zone_type, via, reason from zone_leaves where zone_id = ?', [zone.id])).toEqual([
      { zone_type: 'public', via: 'app', reason: 'Enough' },
    ]);
    expect(await readUsedPeople()).toBe(0);
    await joinPublicZone(zone, member);
    expect(await listUnsubscribes()).toEqual([]);
    expect(await readUsedPeople()).toBe(1);
  });

  it('keep the unsubscribe when a user rejoins without consent', async () => {
    await owner.client.patch(`/api/zones/${zone.id}`).send({ requiresEmailOptin: false }).expect(200);
    await leave(member).expect(200);
    await member.client
      .post(`/api/public-zones/${zone.publicLink}/join`)
      .send({ email: member.email, emailConsent: false })
      .expect(200);
    expect(await listUnsubscribes()).toHaveLength(1);
  });

  it('count for 365 days, except for private zones', async () => {
    for (let times = 0; times < 2; times++) {
      await leave(member).expect(200);
      await joinPublicZone(zone, member);
    }
    await leave(member).expect(409);
    const sql = 'update zone_leaves set left_at = left_at - ?::interval where zone_id = ?';
    const moveLeavesTo = (time: string) => rows(sql, [time, zone.id]);
    await moveLeavesTo('364 days 23 hours');
    await leave(member).expect(409);
    await moveLeavesTo('1 hour');
    await leave(member).expect(200);
    await joinPublicZone(zone, member);
    await leave(member).expect(200);
    await joinPublicZone(zone, member);
    await leave(member).expect(409);
    await owner.client.patch(`/api/zones/${zone.id}`).send({ type: 'private' }).expect(200);
    await leave(member).expect(200);
  });

  it('reject the third leave for 20 concurrent requests', async () => {
    for (let times = 0; times < 2; times++) {
      await leave(member).expect(200);
      await joinPublicZone(zone, member);
    }
    expect(countStatuses(await runConcurrently(20, () => leave(member)))).toEqual({ 409: 20 });
    expect(await memberCount()).toBe(1);
  });

  describe('unsubscribe link', () => {
    it('redirects to the page and changes nothing on GET', async () => {
      for (let visits = 0; visits < 5; visits++) {
        const { headers } = await visitor().get(`/api/unsubscribe/${token()}`).expect(302);
        expect(headers.location).toBe(`${world.testApp.config.appUrl}/unsubscribe/${token()}`);
        expect(headers['referrer-policy']).toBe('no-referrer');
        await visitor().head(`/api/unsubscribe/${token()}`).expect(302);
        const { body } = await visitor().get(`/api/unsubscribe/info/${token()}`).expect(200);
        expect(body).toMatchObject({ zoneName: zone.name, isPublic: true, state: 'member', getsMails: true });
      }
      expect(await memberCount()).toBe(1);
      expect(await listUnsubscribes()).toEqual([]);
    });

    it('supports one-click unsubscribe from any origin, any number of times', async () => {
      const postOneClick = () =>
        visitor()
          .post(`/api/unsubscribe/${token()}`)
          .set('Sec-Fetch-Site', 'cross-site')
          .set('Origin', 'https://mail.example')
          .type('form')
          .send('List-Unsubscribe=One-Click');
      const responses = await runConcurrently(10, postOneClick);
      expect(countStatuses(responses)).toEqual({ 200: 10 });
      expect(responses[0]!.body).toMatchObject({ state: 'left', getsMails: false });
      expect(await memberCount()).toBe(0);
      expect(await rows('select via from zone_leaves where zone_id = ?', [zone.id])).toEqual([{ via: 'link' }]);
      expect(await readUsedPeople()).toBe(0);
      await visitor().post(`/api/unsubscribe/${token()}`).field('List-Unsubscribe', 'One-Click').expect(200);
    });

    it('accepts an empty body and does not count towards the yearly leaves', async () => {
      for (let times = 0; times < 3; times++) {
        await visitor().post(`/api/unsubscribe/${token()}`).expect(200);
        await joinPublicZone(zone, member);
      }
      await leave(member).expect(200);
    });

    it('can be undone for 30 days, which restores the membership', async () => {
      await rows(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [zone.id, member.id]);
      const before = await rows('select role, join_method, created_at from zone_members where zone_id = ?', [zone.id]);
      await visitor().post(`/api/unsubscribe/${token()}`).expect(200);
      world.testApp.clock.advance(29 * DAY);
      const info = await visitor().get(`/api/unsubscribe/info/${token()}`).expect(200);
      expect(info.body.undoUntil).not.toBeNull();
      const responses = await runConcurrently(5, () => visitor().post(`/api/unsubscribe/${token()}/undo`));
      expect(countStatuses(responses)).toEqual({ 200: 5 });
      expect(responses[0]!.body).toMatchObject({ state: 'member', getsMails: true });
      expect(await rows('select role, join_method, created_at from zone_members where zone_id = ?', [zone.id])).toEqual(
        before,
      );
      expect(await memberCount()).toBe(1);
      expect(await readUsedPeople()).toBe(1);

      await visitor().post(`/api/unsubscribe/${token()}`).expect(200);
      world.testApp.clock.advance(30 * DAY);
      expect((await visitor().get(`/api/unsubscribe/info/${token()}`)).body.undoUntil).toBeNull();
      const late = await visitor().post(`/api/unsubscribe/${token()}/undo`).expect(409);
      expect(late.body.code).toBe('UNDO_TOO_LATE');
    });

    it('never expires, even for a deleted zone or user', async () => {
      world.testApp.clock.advance(5000 * DAY);
      await visitor().post(`/api/unsubscribe/${token()}`).expect(200);
      expect(await rows(`select role from zone_members where zone_id = ?`, [zone.id])).toEqual([{ role: 'owner' }]);
      await rows('update zones set deleted_at = now() where id = ?', [zone.id]);
      expect((await visitor().post(`/api/unsubscribe/${token()}`).expect(200)).body.state).toBe('gone');
      const unknown = await visitor().get(`/api/unsubscribe/info/${token(999_999)}`);
      expect([unknown.status, unknown.body.state]).toEqual([200, 'gone']);
    });

    it('is rejected when forged', async () => {
      const real = token();
      const [user, zoneId, signature] = real.split('-') as [string, string, string];
      for (const wrong of [
        'x',
        `${user}-${zoneId}`,
        `${(member.id + 1).toString(36)}-${zoneId}-${signature}`,
        `${user}-${(zone.id + 1).toString(36)}-${signature}`,
        `${user}-${zoneId}-${'0'.repeat(32)}`,
        `zzzzzzzzzzz-zzzzzzzzzzz-${signature}`,
      ]) {
        for (const method of ['get', 'post'] as const) {
          const { body } = await visitor()[method](`/api/unsubscribe/${wrong}`).expect(404);
          expect(body).toMatchObject({
            code: 'UNSUBSCRIBE_LINK_INVALID',
            message: 'Invalid or expired unsubscribe link',
          });
        }
        await visitor().get(`/api/unsubscribe/info/${wrong}`).expect(404);
        const shown = await visitor().get(`/api/unsubscribe/${wrong}`).set('Accept', 'text/html,*/*;q=0.8');
        expect(shown.headers.location).toBe(`${world.testApp.config.appUrl}/unsubscribe/${wrong}`);
      }
      expect(await memberCount()).toBe(1);
    });

    it('does nothing for the owner', async () => {
      await visitor()
        .post(`/api/unsubscribe/${token(owner.id)}`)
        .expect(200);
      await owner.client.get(`/api/zones/${zone.id}`).expect(200);
    });
  });

  describe('email consent', () => {
    const giveConsent = () => member.client.post(`/api/zones/${zone.id}/consent`);
    const withdrawConsent = () => member.client.delete(`/api/zones/${zone.id}/consent`);

    it('cannot be withdrawn in a zone that requires it', async () => {
      expect((await withdrawConsent().expect(409)).body.code).toBe('MAILS_BELONG_TO_ZONE');
      await visitor().delete(`/api/unsubscribe/${token()}/consent`).expect(409);
      expect(await listUnsubscribes()).toEqual([]);
    });

    it('can be withdrawn and given again after a purchase, in the app and by email', async () => {
      await rows(`update zone_members set join_method = 'purchase' where zone_id = ? and user_id = ?`, [
        zone.id,
        member.id,
      ]);
      await rows('delete from email_consents where zone_id = ?', [zone.id]);
      expect((await visitor().get(`/api/unsubscribe/info/${token()}`)).body).toMatchObject({
        getsMails: false,
        mayStayWithoutMails: true,
      });
      expect((await visitor().post(`/api/unsubscribe/${token()}/consent`).expect(200)).body.getsMails).toBe(true);
      expect(await rows('select consent_method from email_consents where zone_id = ?', [zone.id])).toEqual([
        { consent_method: 'mail' },
      ]);
      await withdrawConsent().expect(204);
      expect(await listUnsubscribes()).toHaveLength(1);
      expect(await memberCount()).toBe(1);
      await giveConsent().expect(200);
      expect(await listUnsubscribes()).toEqual([]);
      await visitor().delete(`/api/unsubscribe/${token()}/consent`).expect(204);
      expect((await visitor().get(`/api/unsubscribe/info/${token()}`)).body.getsMails).toBe(false);
    });

    it('cannot be given for others', async () => {
      const other = await registerUser(world);
      await other.client.post(`/api/zones/${zone.id}/consent`).expect(404);
      await other.client.delete(`/api/zones/${zone.id}/consent`).expect(404);
      await owner.client.post(`/api/zones/${zone.id}/consent`).expect(403);
      await visitor()
        .post(`/api/unsubscribe/${token(other.id)}/consent`)
        .expect(404);
    });
  });

  it('is anonymised with leave records on account deletion and part of the export', async () => {
    const guest = await registerUser(world);
    await joinPublicZone(zone, guest);
    await guest.client.post(`/api/zones/${zone.id}/leave`).send({ reason: 'My name is Guest' }).expect(200);
    const { body } = await guest.client.get('/api/user/export').expect(200);
    expect(body.leaves).toMatchObject([{ zoneId: zone.id, via: 'app', reason: 'My name is Guest' }]);
    expect(body.unsubscribes).toMatchObject([{ zoneId: zone.id }]);
    await guest.client.delete('/api/user').send({ password: guest.password }).expect(204);
    await world.testApp.drain();
    expect(await rows('select user_id, reason from zone_leaves where zone_id = ?', [zone.id])).toEqual([
      { user_id: null, reason: null },
    ]);
    expect(await rows('select 1 from email_unsubscribes where user_id = ?', [guest.id])).toEqual([]);
  });
});
