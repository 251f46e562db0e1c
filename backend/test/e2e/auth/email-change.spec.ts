import {
  waitForCode,
  createZone,
  joinPublicZone,
  PASSWORD,
  registerUser,
  uniqueName,
  type Actor,
} from '../../support/people/actors.js';
import { waitForInvitation, invite } from '../../support/people/invitations.js';
import { describeInProcess, World } from '../../support/world.js';
import {
  requestPasswordReset,
  runConcurrently,
  listAuditTypes,
  countStatuses,
  createApiToken,
  OTHER_PASSWORD,
  signIn,
} from './account-helpers.js';
import { registerStaff } from '../admin/staff-helpers.js';

const DAY = 24 * 60 * 60_000;

describeInProcess('Email change', () => {
  let world: World;
  let ada: Actor;
  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    ada = await registerUser(world);
  });
  afterAll(() => world.close());

  const uniqueAddress = () => `${uniqueName('moved')}@example.com`;
  const rows = <T extends object>(sql: string, values: unknown[]) => world.testApp.em().execute<T[]>(sql, values);
  const readEmail = async ({ id }: Actor) =>
    (await rows<{ email: string }>('select email from users where id = ?', [id]))[0]!.email;
  const requestEmailChange = (actor: Actor, email: string, password = PASSWORD) =>
    actor.client.post('/api/user/email').send({ email, password });
  const waitForLink = async (email: string, page: string) => {
    const { text } = await world.waitForEmail(email, (mail) => mail.text.includes(`/${page}?token=`));
    return new RegExp(`/${page}\\?token=([\\w-]+)`).exec(text)![1]!;
  };
  const confirm = (token: string) => world.createClient().post('/api/email-change').send({ token });
  const undo = (token: string) => world.createClient().post('/api/email-change/undo').send({ token });

  /**
   * Completes a change of email address.
   * @returns the new address
   */
  async function changeEmail(actor: Actor, to = uniqueAddress()): Promise<string> {
    await requestEmailChange(actor, to).expect(200);
    await confirm(await waitForLink(to, 'change-email')).expect(200);
    return to;
  }

  it('is applied by the link in the new mailbox, keeps sessions and is audited', async () => {
    const to = uniqueAddress();
    await requestEmailChange(ada, to).expect(200);
    const token = await waitForLink(to, 'change-email');
    expect((await world.createClient().post('/api/email-change/check').send({ token }).expect(200)).body.email).toBe(
      to,
    );
    expect(await readEmail(ada)).toBe(ada.email);
    await confirm(token).expect(200);
    expect((await ada.client.get('/api/user').expect(200)).body).toMatchObject({ email: to, emailVerified: true });
    await signIn(world, to);
    await world.createClient().post('/api/login').send({ email: ada.email, password: PASSWORD }).expect(401);
    expect((await confirm(token).expect(400)).body.code).toBe('TOKEN_INVALID');
    expect(await listAuditTypes(world, ada.id)).toEqual(
      expect.arrayContaining(['user.email-change-asked', 'user.email-changed']),
    );
    expect((await world.waitForEmail(to, ({ subject }) => subject.includes('now'))).text).toContain(ada.email);
  });

  it('is void after a password change, even if its email is sent later', async () => {
    const to = uniqueAddress();
    await requestEmailChange(ada, to).expect(200);
    const requestBody = { email: ada.email, currentPassword: PASSWORD, newPassword: OTHER_PASSWORD };
    await ada.client.post('/api/change-password').send(requestBody).expect(200);
    await world.testApp.drain();
    expect(await world.listEmails(to)).toEqual([]);
  });

  it('requires the password, a different address and a link at most a day old', async () => {
    expect((await requestEmailChange(ada, uniqueAddress(), 'not my password').expect(400)).body.code).toBe(
      'WRONG_PASSWORD',
    );
    expect((await requestEmailChange(ada, ada.email.toUpperCase()).expect(400)).body.code).toBe('EMAIL_UNCHANGED');
    const to = uniqueAddress();
    await requestEmailChange(ada, to).expect(200);
    const token = await waitForLink(to, 'change-email');
    world.testApp.clock.advance(DAY + 1);
    expect(
      (await world.createClient().post('/api/email-change/check').send({ token }).expect(200)).body.email,
    ).toBeNull();
    await confirm(token).expect(400);
  });

  it('requires another way of confirmation from a user without a password', async () => {
    await rows('update users set password = null where id = ? returning id', [ada.id]);
    await rows('update sessions set confirmed_at = null where user_id = ? returning id', [ada.id]);
    const to = uniqueAddress();
    const requestChange = () => ada.client.post('/api/user/email').send({ email: to });
    expect((await requestChange().expect(403)).body.code).toBe('CONFIRMATION_REQUIRED');
    await ada.client.post('/api/user/confirm/mail').send().expect(200);
    await ada.client
      .post('/api/user/confirm')
      .send({ code: await waitForCode(world, ada.email) })
      .expect(200);
    await requestChange().expect(200);
    await confirm(await waitForLink(to, 'change-email')).expect(200);
    expect(await readEmail(ada)).toBe(to);
  });

  it('does not reveal which addresses have an account', async () => {
    const bob = await registerUser(world);
    const [known, unknown] = [
      await requestEmailChange(ada, bob.email).expect(200),
      await requestEmailChange(ada, uniqueAddress()).expect(200),
    ];
    expect(known.body).toEqual(unknown.body);
    const mail = await world.waitForEmail(bob.email);
    expect(mail.subject).toBe('This email address already has an account');
    expect(mail.text).not.toContain('token=');
  });

  it('is void after a later change or a new password', async () => {
    const [first, second] = [uniqueAddress(), uniqueAddress()];
    await requestEmailChange(ada, first).expect(200);
    const old = await waitForLink(first, 'change-email');
    await requestEmailChange(ada, second).expect(200);
    const newer = await waitForLink(second, 'change-email');
    await confirm(old).expect(400);
    const reset = await requestPasswordReset(world, ada.email);
    await world
      .createClient()
      .post('/api/reset-password')
      .send({ token: reset, password: 'staple battery horse' })
      .expect(200);
    await confirm(newer).expect(400);
    expect(await readEmail(ada)).toBe(ada.email);
  });

  it('leaves no valid link or code in the old mailbox', async () => {
    const reset = await requestPasswordReset(world, ada.email);
    await changeEmail(ada);
    await world
      .createClient()
      .post('/api/reset-password')
      .send({ token: reset, password: 'staple battery horse' })
      .expect(400);
  });

  it('gives an address to one of several concurrent accounts', async () => {
    const to = uniqueAddress();
    const people = [ada, await registerUser(world), await registerUser(world)];
    const tokens: string[] = [];
    for (const person of people) {
      const before = new Set((await world.listEmails(to)).map(({ id }) => id));
      await requestEmailChange(person, to).expect(200);
      const { text } = await world.waitForEmail(to, ({ id }) => !before.has(id));
      tokens.push(/token=([\w-]+)/.exec(text)![1]!);
    }
    const responses = await Promise.all(tokens.map((token) => confirm(token)));
    expect(countStatuses(responses)).toEqual({ 200: 1, 409: 2 });
    expect(await rows('select id from users where email = ?', [to])).toHaveLength(1);
  });

  it('is applied once by concurrent confirmations', async () => {
    const to = uniqueAddress();
    await requestEmailChange(ada, to).expect(200);
    const token = await waitForLink(to, 'change-email');
    const responses = await runConcurrently(5, () => confirm(token));
    expect(countStatuses(responses)).toEqual({ 200: 1, 400: 4 });
    expect(await rows('select id from email_changes where user_id = ?', [ada.id])).toHaveLength(1);
  });

  describe('applied to zone data', () => {
    let owner: Actor;
    beforeEach(async () => {
      owner = await registerUser(world);
      const { superAdmin } = await registerStaff(world);
      await superAdmin.client.patch(`/api/admin/users/${owner.id}/plan`).send({ plan: 'creator' }).expect(200);
    });
    const audience = (email: string) =>
      rows('select zones, pending, user_id::int as "userId" from audience where owner_id = ? and email_key = ?', [
        owner.id,
        email,
      ]);
    const countPeople = async () => {
      const usage = await rows<{ used: string }>(`select used from usage where owner_id = ? and metric = 'people'`, [
        owner.id,
      ]);
      return Number(usage[0]?.used ?? 0);
    };

    it('updates memberships, their search and sort keys, and the audience', async () => {
      const zone = await createZone(owner);
      await joinPublicZone(zone, ada);
      const to = await changeEmail(ada);
      const [member] = await rows<{ email: string; search_key: string }>(
        'select email, search_key from zone_members where zone_id = ? and user_id = ?',
        [zone.id, ada.id],
      );
      expect(member).toMatchObject({ email: to, search_key: expect.stringContaining(to.split('@')[0]!) });
      expect(await audience(ada.email)).toEqual([]);
      expect(await audience(to)).toEqual([{ zones: 1, pending: 0, userId: ada.id }]);
      expect(await countPeople()).toBe(1);
      await owner.client.delete(`/api/zones/${zone.id}/members/${ada.id}`).expect(204);
      expect(await countPeople()).toBe(0);
    });

    it("counts one person in the plan when both addresses belonged to an owner's audience", async () => {
      const [first, second] = [await createZone(owner), await createZone(owner)];
      await joinPublicZone(first, ada);
      const to = uniqueAddress();
      await invite(second, owner, to);
      expect(await countPeople()).toBe(2);
      await changeEmail(ada, to);
      expect(await audience(ada.email)).toEqual([]);
      expect(await audience(to)).toEqual([{ zones: 1, pending: 1, userId: ada.id }]);
      expect(await countPeople()).toBe(1);
    });

    it('deletes an invitation into a zone that the user is already a member of', async () => {
      const zone = await createZone(owner);
      await joinPublicZone(zone, ada);
      const to = uniqueAddress();
      await invite(zone, owner, to);
      expect(await countPeople()).toBe(2);
      await changeEmail(ada, to);
      expect(await rows('select id from invitations where email = ?', [to])).toEqual([]);
      expect(await audience(to)).toEqual([{ zones: 1, pending: 0, userId: ada.id }]);
      expect(await countPeople()).toBe(1);
    });

    it('sends an open invitation again with a new link', async () => {
      const zone = await createZone(owner);
      await invite(zone, owner, ada.email);
      const { token: old } = await waitForInvitation(world, ada.email);
      const readDigest = async () =>
        (await rows<{ digest: string }>('select digest from invitations where zone_id = ?', [zone.id]))[0]!.digest;
      const before = await readDigest();
      const to = await changeEmail(ada);
      const { token } = await waitForInvitation(world, to);
      expect(token).not.toBe(old);
      expect(await readDigest()).not.toBe(before);
      expect(await audience(to)).toEqual([{ zones: 0, pending: 1, userId: ada.id }]);
      expect(await countPeople()).toBe(1);
    });

    it('merges two invitations into the same zone', async () => {
      const zone = await createZone(owner);
      const to = uniqueAddress();
      await invite(zone, owner, ada.email);
      await invite(zone, owner, to);
      await changeEmail(ada, to);
      expect(await rows('select email from invitations where zone_id = ?', [zone.id])).toEqual([{ email: to }]);
      expect(await audience(to)).toEqual([{ zones: 0, pending: 1, userId: ada.id }]);
      expect(await countPeople()).toBe(1);
    });

    it('updates memberships that are created concurrently', async () => {
      const zones = [await createZone(owner), await createZone(owner), await createZone(owner)];
      const to = uniqueAddress();
      await requestEmailChange(ada, to).expect(200);
      const token = await waitForLink(to, 'change-email');
      const [changed] = await Promise.all([confirm(token), ...zones.map((zone) => admitMember(zone.publicLink!))]);
      expect(changed.status).toBe(200);
      const memberships = await rows<{ email: string }>(`select email from zone_members where user_id = ?`, [ada.id]);
      expect(memberships.map(({ email }) => email)).toEqual(memberships.map(() => to));
      expect(await audience(ada.email)).toEqual([]);
      expect(await countPeople()).toBe(memberships.length > 0 ? 1 : 0);
    });

    // The form sends the address the page knows; both are accepted while it changes.
    const admitMember = (link: string) =>
      ada.client.post(`/api/public-zones/${link}/join`).send({ email: ada.email, emailConsent: true });
  });

  describe('undone from the old mailbox', () => {
    it('restores the old address for seven days and ends all sessions and tokens', async () => {
      const { token: bearer } = await createApiToken(ada);
      const to = await changeEmail(ada);
      const token = await waitForLink(ada.email, 'undo-email-change');
      const { body } = await world.createClient().post('/api/email-change/undo/check').send({ token }).expect(200);
      expect(body.email).toBe(ada.email);
      expect(await readEmail(ada)).toBe(to);
      await undo(token).expect(200);
      expect(await readEmail(ada)).toBe(ada.email);
      await ada.client.get('/api/user').expect(401);
      await world.createClient().get('/api/zones').set('Authorization', `Bearer ${bearer}`).expect(401);
      await world.createClient().post('/api/login').send({ email: ada.email, password: PASSWORD }).expect(401);
      const { text } = await world.waitForEmail(ada.email, (mail) => mail.text.includes('/reset-password?'));
      const reset = /\/reset-password\?token=([\w-]+)/.exec(text)![1]!;
      await world
        .createClient()
        .post('/api/reset-password')
        .send({ token: reset, password: 'staple battery horse' })
        .expect(200);
      await signIn(world, ada.email, 'staple battery horse');
      expect((await undo(token).expect(400)).body.code).toBe('TOKEN_INVALID');
      expect(await listAuditTypes(world, ada.id)).toContain('user.email-change-undone');
    });

    it('is rejected after seven days', async () => {
      await changeEmail(ada);
      const token = await waitForLink(ada.email, 'undo-email-change');
      world.testApp.clock.advance(7 * DAY + 60_000);
      await undo(token).expect(400);
    });

    it("restores the first address after further changes, which can't undo that", async () => {
      const between = await changeEmail(ada);
      const first = await waitForLink(ada.email, 'undo-email-change');
      await changeEmail(ada);
      const second = await waitForLink(between, 'undo-email-change');
      await undo(first).expect(200);
      expect(await readEmail(ada)).toBe(ada.email);
      await undo(second).expect(400);
      expect(await readEmail(ada)).toBe(ada.email);
    });

    it('is rejected when another user has the old address', async () => {
      await changeEmail(ada);
      const token = await waitForLink(ada.email, 'undo-email-change');
      await rows('update users set email = ? where id = ? returning id', [ada.email, (await registerUser(world)).id]);
      expect((await undo(token).expect(409)).body.code).toBe('EMAIL_TAKEN');
    });
  });

  describe('by a super admin', () => {
    it('applies at once, notifies both addresses, is audited and needs verification', async () => {
      const { superAdmin, admin } = await registerStaff(world);
      const to = uniqueAddress();
      const path = `/api/admin/users/${ada.id}/email`;
      await admin.client.patch(path).send({ email: to }).expect(403);
      const { body } = await superAdmin.client.patch(path).send({ email: to, reason: 'Lost the mailbox' }).expect(200);
      expect(body.email).toBe(to);
      const left = await world.waitForEmail(ada.email, ({ subject }) => subject.includes('changed'));
      expect(left.text).not.toContain('token=');
      await world.waitForEmail(to, ({ text }) => text.includes('administrator'));
      expect((await ada.client.get('/api/user').expect(200)).body).toMatchObject({ email: to, emailVerified: false });
      expect(await listAuditTypes(world, ada.id)).toContain('user.email-changed');
      expect((await superAdmin.client.patch(path).send({ email: to }).expect(400)).body.code).toBe('EMAIL_UNCHANGED');
      expect((await superAdmin.client.patch(path).send({ email: admin.email }).expect(409)).body.code).toBe(
        'EMAIL_TAKEN',
      );
      const own = `/api/admin/users/${superAdmin.id}/email`;
      expect((await superAdmin.client.patch(own).send({ email: uniqueAddress() }).expect(403)).body.code).toBe(
        'OWN_ACCOUNT',
      );
    });
  });
});
