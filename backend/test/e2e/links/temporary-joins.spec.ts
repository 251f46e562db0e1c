import { registerUsers, registerUser, uniqueName } from '../../support/people/actors.js';
import { waitForVerificationLink } from '../../support/people/restricted-user.js';
import { solveProofOfWork } from '../../support/proof-of-work.js';
import { describeInProcess, World } from '../../support/world.js';
import {
  requestJoinByLink,
  readLinkAnalytics,
  joinByLink,
  readLink,
  createLink,
  countMembers,
  createPrivateZone,
  type PrivateZone,
} from './link-helpers.js';
import { fullOrShort } from '../../support/full-or-short.js';

const HOUR = 3_600_000;

let world: World;
let at: PrivateZone;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  at = await createPrivateZone(world);
});
afterAll(() => world.close());

const verify = (link: object) => world.createClient().post('/api/verify-email').send(link);
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const address = () => `${uniqueName('member')}@example.com`;

describe('Joining by a temporary link', () => {
  it('takes effect at once when signed in and counts one use', async () => {
    const link = await createLink(at, { maxUses: 2 });
    const member = await registerUser(world);
    const { body } = await joinByLink(member.client, link, member.email).expect(200);
    expect(body).toMatchObject({ requiresVerification: false, redirectUrl: `/zones/${at.zone.id}` });
    expect(codeOf(await joinByLink(member.client, link, member.email))).toEqual([409, 'ALREADY_MEMBER']);
    expect(await readLink(at, link.id)).toMatchObject({ currentUses: 1 });
    const shared = await member.client.get('/api/shared-zones').expect(200);
    expect(shared.body).toMatchObject([{ id: at.zone.id, memberRole: 'member', memberExpiresAt: null }]);
  });

  it('treats users signed in under another address as signed out', async () => {
    const link = await createLink(at);
    const [member, other] = [await registerUser(world), await registerUser(world)];
    const { body } = await joinByLink(member.client, link, other.email).expect(200);
    expect(body).toMatchObject({ requiresVerification: true, redirectUrl: null });
    expect(await countMembers(at)).toBe(0);
  });

  it('returns the same response for known, unknown and member addresses', async () => {
    const link = await createLink(at);
    const [known, member] = [await registerUser(world), await registerUser(world)];
    await joinByLink(member.client, link, member.email).expect(200);
    const answers = [];
    for (const email of [known.email, member.email, address()]) {
      answers.push((await joinByLink(world.createClient(), link, email).expect(200)).body);
    }
    const comparable = { ...answers[0], handle: expect.any(String) };
    for (const response of answers) expect(response).toEqual(comparable);
  });

  it('requires consent, and rejected attempts or views do not count as a use', async () => {
    const link = await createLink(at, { maxUses: 1 });
    const rejected = await joinByLink(world.createClient(), link, address(), { emailConsent: false });
    expect(codeOf(rejected)).toEqual([400, 'CONSENT_REQUIRED']);
    expect(rejected.body.message).toContain('You must agree to receive all zone emails to join.');
    for (let count = 0; count < 3; count++) await requestJoinByLink(world, link, address());
    await world.createClient().get(`/api/temporary-links/${link.token}`).expect(200);
    expect(await readLink(at, link.id)).toMatchObject({ currentUses: 0, state: 'active' });
  });

  it('returns LINK_MAX_USES to a second visitor before and after the email', async () => {
    const link = await createLink(at, { maxUses: 1 });
    const late = await requestJoinByLink(world, link, address());
    await verify(await requestJoinByLink(world, link, address())).expect(200);
    const visit = await world.createClient().get(`/api/temporary-links/${link.token}`);
    expect(codeOf(visit)).toEqual([410, 'LINK_MAX_USES']);
    expect(visit.body.message).toContain('maximum usage');
    expect(codeOf(await joinByLink(world.createClient(), link, address()))).toEqual([410, 'LINK_MAX_USES']);
    expect(codeOf(await world.createClient().get('/api/verify-email').query(late))).toEqual([410, 'LINK_MAX_USES']);
    expect(codeOf(await verify(late))).toEqual([410, 'LINK_MAX_USES']);
    expect(await countMembers(at)).toBe(1);
    await at.owner.client.patch(`/api/temporary-links/${link.id}`).send({ maxUses: 2 }).expect(200);
    await verify(late).expect(200);
    expect(await countMembers(at)).toBe(2);
  });

  it('returns ALREADY_MEMBER to a member even when no use is left', async () => {
    const [link, member] = [await createLink(at, { maxUses: 1 }), await registerUser(world)];
    await joinByLink(member.client, link, member.email).expect(200);
    expect(codeOf(await joinByLink(member.client, link, member.email))).toEqual([409, 'ALREADY_MEMBER']);
  });

  it('is rejected when the link was paused or deleted before confirmation', async () => {
    const [paused, deleted] = [await createLink(at), await createLink(at)];
    const responses = [
      await requestJoinByLink(world, paused, address()),
      await requestJoinByLink(world, deleted, address()),
    ];
    await at.owner.client.patch(`/api/temporary-links/${paused.id}`).send({ isActive: false }).expect(200);
    await at.owner.client.delete(`/api/temporary-links/${deleted.id}`).expect(204);
    for (const link of responses) expect(codeOf(await verify(link))).toEqual([404, 'LINK_NOT_FOUND']);
    expect(await countMembers(at)).toBe(0);
  });

  it('requires the password and reveals only that it is wrong', async () => {
    const link = await createLink(at, { password: 'tulip tree' });
    const email = address();
    for (const more of [{}, { password: '' }, { password: 'oak tree' }, { password: 'TULIP TREE' }]) {
      const response = await joinByLink(world.createClient(), link, email, more);
      expect(codeOf(response)).toEqual([403, 'LINK_PASSWORD_WRONG']);
      expect(response.body.errors.password).toEqual(['The password for this link is incorrect.']);
    }
    const member = await registerUser(world);
    expect(codeOf(await joinByLink(member.client, link, member.email))).toEqual([403, 'LINK_PASSWORD_WRONG']);
    await joinByLink(member.client, link, member.email, { password: 'tulip tree' }).expect(200);
    await verify(await requestJoinByLink(world, link, email, { password: 'tulip tree' })).expect(200);
    expect(await readLink(at, link.id)).toMatchObject({ currentUses: 2 });
  });

  it('rejects the password field at a public link', async () => {
    const body = { email: address(), emailConsent: true, password: 'x' };
    await world.createClient().post('/api/public-zones/any/join').send(body).expect(400);
  });
});

describe('Concurrent joins by a temporary link', () => {
  const CROWD = fullOrShort(200, 60);

  it(`${CROWD} people on a link with 10 uses become 10 members with 10 uses`, async () => {
    const link = await createLink(at, { maxUses: 10 });
    const known = await registerUsers(world, (CROWD * 4) / 5);
    const emails = Array.from({ length: CROWD / 5 }, address);
    await Promise.all(emails.map((email) => joinByLink(world.createClient(), link, email).expect(200)));
    const emailed: object[] = [];
    for (const email of emails) emailed.push(await waitForVerificationLink(world, email));
    // Both ways to join are at the front and at the end of the crowd.
    const answers = await Promise.all([
      ...emailed.slice(0, CROWD / 10).map((link) => verify(link)),
      ...known.map(({ client, email }) => joinByLink(client, link, email)),
      ...emailed.slice(CROWD / 10).map((link) => verify(link)),
    ]);
    const count = (status: number, code?: string) =>
      answers.filter((response) => response.status === status && response.body.code === code).length;
    expect([count(200), count(410, 'LINK_MAX_USES')]).toEqual([10, CROWD - 10]);
    expect(await countMembers(at)).toBe(10);
    expect(await readLink(at, link.id)).toMatchObject({ currentUses: 10, hasReachedMaxUses: true });
    expect(await readLinkAnalytics(at, link.id)).toMatchObject({ totalAttempts: CROWD, successfulJoins: 10 });
  });

  it('count one member and one use for 50 joins of one person', async () => {
    const link = await createLink(at, { maxUses: 5 });
    const member = await registerUser(world);
    const answers = await Promise.all(Array.from({ length: 50 }, () => joinByLink(member.client, link, member.email)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'ALREADY_MEMBER')).toHaveLength(49);
    expect(await readLink(at, link.id)).toMatchObject({ currentUses: 1 });
    expect(await countMembers(at)).toBe(1);
  });

  it('do not deadlock with making the zone public, and are rejected afterwards', async () => {
    const link = await createLink(at);
    const members = await registerUsers(world, 8);
    const makePublic = () => at.owner.client.patch(`/api/zones/${at.zone.id}`).send({ type: 'public' });
    const joinAll = () => members.map((member) => joinByLink(member.client, link, member.email));
    const [turned, ...answers] = await Promise.all([makePublic(), ...joinAll()]);
    expect(turned!.status).toBe(200);
    const joined = answers.filter(({ status }) => status === 200).length;
    expect(answers.filter(({ body }) => body.code === 'LINK_NOT_FOUND')).toHaveLength(8 - joined);
    expect(await countMembers(at)).toBe(joined);
    expect(await readLink(at, link.id)).toMatchObject({ currentUses: joined, isActive: false });
  });
});

describeInProcess('Records of joins by a temporary link', () => {
  it('hold one user, member, use, consent and audience entry for 50 confirmations', async () => {
    const link = await createLink(at, { maxUses: 5 });
    const email = address();
    const requests: object[] = [];
    for (let count = 0; count < 5; count++) requests.push(await requestJoinByLink(world, link, email));
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => verify(requests[index % 5]!)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await readLink(at, link.id)).toMatchObject({ currentUses: 1 });
    expect(await countMembers(at)).toBe(1);
    const em = world.testApp.em();
    const consents = await em.execute('select consent_method from email_consents where zone_id = ?', [at.zone.id]);
    expect(consents).toEqual([{ consent_method: 'temporary_link' }]);
    const audience = await em.execute('select zones from audience where owner_id = ?', [at.owner.id]);
    expect(audience).toEqual([{ zones: 1 }]);
    const people = await em.execute(`select used from usage where owner_id = ? and metric = 'people'`, [at.owner.id]);
    expect(people).toEqual([{ used: 1 }]);
    const rows = await em.execute('select join_method from zone_members where zone_id = ? and role = ?', [
      at.zone.id,
      'member',
    ]);
    expect(rows).toEqual([{ join_method: 'temporary_link' }]);
  });

  it('count no use when the plan is full, and the emailed link stays valid', async () => {
    const link = await createLink(at, { maxUses: 1 });
    const em = world.testApp.em();
    const member = await registerUser(world);
    const emailed = await requestJoinByLink(world, link, address());
    const setAllowedPeople = (allowed: number) =>
      em.execute(
        `insert into usage (owner_id, metric, period, used, allowed) values (?, 'people', '', 0, ?)
         on conflict (owner_id, metric, period) do update set allowed = excluded.allowed`,
        [at.owner.id, allowed],
      );
    await setAllowedPeople(0);
    for (const response of [await joinByLink(member.client, link, member.email), await verify(emailed)]) {
      expect(codeOf(response)).toEqual([403, 'ZONE_FULL']);
      expect(response.body).not.toHaveProperty('allowed');
    }
    expect(await readLink(at, link.id)).toMatchObject({ currentUses: 0 });
    await setAllowedPeople(10);
    await verify(emailed).expect(200);
    expect(await readLink(at, link.id)).toMatchObject({ currentUses: 1 });
  });
});

describeInProcess('Expiry of temporary links', () => {
  it('ends a link at its instant without a job, but pending joins last 24 hours', async () => {
    const link = await createLink(at, { expiresInHours: 2 });
    const [soon, never] = [
      await requestJoinByLink(world, link, address()),
      await requestJoinByLink(world, link, address()),
    ];
    world.testApp.clock.advance(2 * HOUR);
    const visit = await world.createClient().get(`/api/temporary-links/${link.token}`);
    expect(codeOf(visit)).toEqual([410, 'LINK_EXPIRED']);
    expect(visit.body.message).toBe('This link has expired. Please request a new invitation.');
    expect(codeOf(await joinByLink(world.createClient(), link, address()))).toEqual([410, 'LINK_EXPIRED']);
    world.testApp.clock.advance(21 * HOUR);
    await world.createClient().get('/api/verify-email').query(soon).expect(200);
    await verify(soon).expect(200);
    expect(await readLink(at, link.id)).toMatchObject({ currentUses: 1, state: 'expired' });
    world.testApp.clock.advance(2 * HOUR);
    expect(codeOf(await verify(never))).toEqual([400, 'TOKEN_INVALID']);
    expect(await countMembers(at)).toBe(1);
  });

  it('ends a membership after the days that the link grants', async () => {
    const link = await createLink(at, { membershipDays: 2 });
    const member = await registerUser(world);
    await joinByLink(member.client, link, member.email).expect(200);
    const { body } = await member.client.get(`/api/zones/${at.zone.id}`).expect(200);
    const left = new Date(body.memberExpiresAt as string).getTime() - world.testApp.clock.now().getTime();
    expect(Math.round(left / HOUR)).toBe(48);
    world.testApp.clock.advance(48 * HOUR);
    await member.client.get(`/api/zones/${at.zone.id}`).expect(404);
  });

  it('records ended links once, and an extended link is open again', async () => {
    const link = await createLink(at, { expiresInHours: 1 });
    const { TemporaryLinkService } = await import('../../../src/modules/links/temporary/temporary-link.service.js');
    const markExpiredLinks = () => world.testApp.app.get(TemporaryLinkService).markExpired();
    const listExpiredEntries = () =>
      world.testApp
        .em()
        .execute(`select params from audit_log where type = 'temporary-link.expired' and params->>'linkId' = ?`, [
          String(link.id),
        ]);
    await markExpiredLinks();
    expect(await listExpiredEntries()).toEqual([]);
    world.testApp.clock.advance(HOUR);
    await markExpiredLinks();
    await markExpiredLinks();
    expect(await listExpiredEntries()).toEqual([{ params: { zoneId: at.zone.id, linkId: link.id } }]);
    await at.owner.client.patch(`/api/temporary-links/${link.id}`).send({ expiresInHours: 1 }).expect(200);
    await world.createClient().get(`/api/temporary-links/${link.token}`).expect(200);
    world.testApp.clock.advance(HOUR);
    await markExpiredLinks();
    expect(await listExpiredEntries()).toHaveLength(2);
  });
});

describeInProcess('Password attempts for a temporary link', () => {
  it('are limited per network, restored by a correct one, and exact under concurrency', async () => {
    const limited = await World.open({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
    try {
      const here = await createPrivateZone(limited);
      const link = await createLink(here, { password: 'tulip tree' });
      const other = await createLink(here, { password: 'tulip tree' });
      const tryPassword = (password: string, from: string, which: { token: string }, work: object = {}) =>
        joinByLink(limited.createClient(), which, address(), { password }).set({ 'X-Forwarded-For': from, ...work });
      /** One password attempt, with proof of work once the network needs it. */
      const guess = async (password: string, from: string, which = link) => {
        const first = await tryPassword(password, from, which);
        return first.status === 428
          ? tryPassword(password, from, which, await solveProofOfWork(first.body.challenge))
          : first;
      };
      const join = async (from: string, which = link) =>
        expect((await guess('tulip tree', from, which)).status).toBe(200);
      for (let count = 0; count < 12; count++) await join('192.0.2.9');
      const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => guess(`guess ${index}`, '192.0.2.1')));
      expect(answers.filter(({ status }) => status === 403)).toHaveLength(10);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(40);
      const right = await guess('tulip tree', '192.0.2.1');
      expect(right.status).toBe(429);
      expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
      await join('192.0.2.2');
      await join('192.0.2.1', other);
      const sameNetwork = Array.from({ length: 12 }, (_, index) => guess('oak tree', `2001:db8:1:1::${index}`, other));
      expect((await Promise.all(sameNetwork)).filter(({ status }) => status === 429)).toHaveLength(2);
      await join('2001:db8:1:2::1', other);
      // However many wrong attempts come from other places, somebody who knows the password gets in, up to the limit
      // of the whole link.
      const networks = Array.from({ length: fullOrShort(210, 40) }, (_, index) => `198.51.${index}.1`);
      for (const from of networks) expect((await guess('oak tree', from)).status).toBe(403);
      await join('203.0.113.6');
    } finally {
      await limited.close();
    }
  });
});
