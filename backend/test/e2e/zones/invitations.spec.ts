import {
  createZone,
  joinPublicZone,
  PASSWORD,
  registerUser,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import {
  setPeopleLimit,
  readAudience,
  waitForInvitation,
  invite,
  inviteNewAddress,
  makeAdmin,
  uniqueEmail,
} from '../../support/people/invitations.js';
import { describeInProcess, World } from '../../support/world.js';

let world: World;
let owner: Actor;
let zone: TestZone;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  owner = await registerUser(world, { firstName: 'Olga', lastName: 'Owner' });
  zone = await createZone(owner, { type: 'private' });
});
afterAll(() => world.close());

const path = (rest = '') => `/api/zones/${zone.id}/invitations${rest}`;
const listInvitations = async (by = owner) =>
  (await by.client.get(path()).expect(200)).body as { id: number; email: string }[];

describe('POST /api/zones/:id/invite', () => {
  it('returns a result for each address and emails those invited', async () => {
    const member = await registerUser(world);
    const fresh = uniqueEmail();
    await invite(zone, owner, member.email);
    const { token } = await waitForInvitation(world, member.email);
    await member.client.post('/api/accept-invite').send({ token, email: member.email, emailConsent: true }).expect(200);
    const emails = [` ${fresh.toUpperCase()} `, member.email, owner.email, 'broken@', fresh, ''];
    const { body } = await owner.client.post(`/api/zones/${zone.id}/invite`).send({ emails }).expect(200);
    expect(body).toMatchObject({ invited: 1, planLimit: null, retryAfter: 0 });
    expect(body.results).toEqual([
      { email: fresh, success: true, status: 'INVITED', message: 'Invited' },
      { email: member.email, success: false, status: 'ALREADY_MEMBER', message: 'Is already a member' },
      { email: owner.email, success: false, status: 'OWNER', message: 'Owns this zone' },
      { email: 'broken@', success: false, status: 'INVALID_EMAIL', message: 'Not a valid email address' },
      { email: fresh, success: false, status: 'DUPLICATE', message: 'In the list more than once' },
    ]);
    expect((await invite(zone, owner, fresh))[0]).toMatchObject({ status: 'ALREADY_INVITED', success: false });
    const mail = await waitForInvitation(world, fresh);
    expect(mail.subject).toBe(`Olga Owner invites you to ${zone.name}`);
    expect(mail.password).not.toBeNull();
  });

  it('rejects a list without an address', async () => {
    for (const emails of [[], ['', '  '], ['nobody'], 'a@example.com', [1], null]) {
      const { body } = await owner.client.post(`/api/zones/${zone.id}/invite`).send({ emails }).expect(400);
      expect(body.errors.emails ?? body.errors).toEqual(['Please enter at least one valid email address.']);
    }
    expect(await listInvitations()).toEqual([]);
  });

  it('strips invisible characters from addresses', async () => {
    const email = uniqueEmail();
    expect(await invite(zone, owner, `\u202a${email}\u202c`, email.replace('@', '\u200b@'))).toMatchObject([
      { email, status: 'INVITED' },
      { email, status: 'DUPLICATE' },
    ]);
    expect(await listInvitations()).toMatchObject([{ email }]);
  });

  it.each([
    ['NUL', 'a\0da@example.com'],
    ['only NUL', '\0'],
    ['a lone surrogate', 'ada@\ud800.example.com'],
    ['a lone surrogate where a long text is truncated', `${'x'.repeat(319)}🚀@example.com`],
    ['the replacement character', 'ada@ex\ufffdmple.com'],
    ['a line break', 'ada@example.com\r\nBcc: eve@example.com'],
    ['a name', '"Ada" <ada@example.com>'],
  ])('reports an unusable address and invites the others: %s', async (_case, broken) => {
    const [first, last] = [uniqueEmail(), uniqueEmail()];
    const { body } = await owner.client.post(`/api/zones/${zone.id}/invite`).send({ emails: [first, broken, last] });
    expect(body.results).toMatchObject([
      { email: first, status: 'INVITED' },
      { email: broken.slice(0, 320).toWellFormed(), status: 'INVALID_EMAIL', success: false },
      { email: last, status: 'INVITED' },
    ]);
    expect(await listInvitations()).toHaveLength(2);
  });

  it('rejects such text in any other field', async () => {
    const sendRejected = (body: object) => owner.client.post(`/api/zones/${zone.id}/invite`).send(body).expect(400);
    expect((await sendRejected({ emails: [uniqueEmail(), ['a\0']] })).body.errors).toHaveProperty('0');
    expect((await sendRejected({ emails: 'a\0@example.com' })).body.errors).toHaveProperty('emails');
    expect((await sendRejected({ emails: [uniqueEmail()], note: '\0' })).body.errors).toHaveProperty('note');
    expect(await listInvitations()).toEqual([]);
  });

  it('lists open invitations and revokes them', async () => {
    const { email, token } = await inviteNewAddress(world, zone, owner);
    const [row] = await listInvitations();
    expect(row).toMatchObject({ email, used: false, isExpired: false, invitedBy: 'Olga Owner', zoneId: zone.id });
    expect(JSON.stringify(row)).not.toContain(token);
    expect((await owner.client.get(path(`/${row!.id}`)).expect(200)).body).toEqual(row);
    await owner.client.delete(path(`/${row!.id}`)).expect(204);
    await owner.client.delete(path(`/${row!.id}`)).expect(404);
    await owner.client.post(path(`/${row!.id}/resend`)).expect(404);
    expect(await listInvitations()).toEqual([]);
    await world.createClient().get(`/api/invite/${token}`).expect(404);
  });

  it('paginates the list', async () => {
    const emails = [uniqueEmail(), uniqueEmail(), uniqueEmail()];
    await invite(zone, owner, ...emails);
    const first = await owner.client.get(path('?limit=2')).expect(200);
    expect(first.headers['x-total-count']).toBe('3');
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.link!)![1]!;
    const second = await owner.client.get(next).expect(200);
    const seen = [...first.body, ...second.body].map(({ email }: { email: string }) => email);
    expect(seen.sort()).toEqual([...emails].sort());
  });

  it('creates a new link for an address invited again after a revocation', async () => {
    const { email, token } = await inviteNewAddress(world, zone, owner);
    const [row] = await listInvitations();
    await owner.client.delete(path(`/${row!.id}`)).expect(204);
    expect((await invite(zone, owner, email))[0]).toMatchObject({ status: 'INVITED' });
    const { token: later } = await waitForInvitation(world, email);
    expect(later).not.toBe(token);
    await world.createClient().get(`/api/invite/${token}`).expect(404);
    await world.createClient().get(`/api/invite/${later}`).expect(200);
  });

  it('invalidates the old link and temporary password on resend', async () => {
    const { email, token, password } = await inviteNewAddress(world, zone, owner);
    const [row] = await listInvitations();
    const response = await owner.client.post(path(`/${row!.id}/resend`)).expect(200);
    expect(response.body).toMatchObject({ id: row!.id, email, sentAt: null });
    await world.createClient().get(`/api/invite/${token}`).expect(404);
    await world.createClient().post('/api/login').send({ email, password }).expect(401);
    const later = await waitForInvitation(world, email);
    expect(later.token).not.toBe(token);
    await world.createClient().get(`/api/invite/${later.token}`).expect(200);
    await world.createClient().post('/api/login').send({ email, password: later.password }).expect(200);
  });

  it('does not reveal which addresses have an account', async () => {
    const known = await registerUser(world);
    const rows = await invite(zone, owner, known.email, uniqueEmail());
    expect(rows[0]).toEqual({ ...rows[1], email: known.email });
  });
});

/** Grants a plan with more zones. */
async function grantMoreZones(actor: Actor): Promise<Actor> {
  await world.testApp
    .em()
    .execute(`update usage set allowed = 100 where owner_id = ? and metric = 'zones'`, [actor.id]);
  return actor;
}

describeInProcess('Expiry of invitations', () => {
  it('rejects the link after 7 days, frees the quota and allows a resend', async () => {
    const { email, token, password } = await inviteNewAddress(world, zone, owner);
    expect(await readAudience(world, owner)).toEqual({ used: 1, rows: 1, pending: 1 });
    world.testApp.clock.advance(7 * 86_400_000);
    await world.createClient().get(`/api/invite/${token}`).expect(404);
    await world
      .createClient()
      .post('/api/accept-invite')
      .send({ token, email, password, emailConsent: true })
      .expect(404);
    await expire();
    await expire();
    expect(await readAudience(world, owner)).toEqual({ used: 0, rows: 0, pending: 0 });
    owner = await again(owner);
    const [row] = await listInvitations();
    expect(row).toMatchObject({ email, isExpired: true });
    await owner.client.post(path(`/${row!.id}/resend`)).expect(200);
    expect(await readAudience(world, owner)).toEqual({ used: 1, rows: 1, pending: 1 });
    const later = await waitForInvitation(world, email);
    await world.createClient().get(`/api/invite/${later.token}`).expect(200);
  });

  it('does not prevent a new invitation', async () => {
    const { email } = await inviteNewAddress(world, zone, owner);
    world.testApp.clock.advance(7 * 86_400_000);
    owner = await again(owner);
    expect((await invite(zone, owner, email))[0]).toMatchObject({ status: 'INVITED' });
    expect(await readAudience(world, owner)).toEqual({ used: 1, rows: 1, pending: 1 });
    expect(await listInvitations()).toHaveLength(1);
  });

  it('ends an invitation when the member is removed, and frees the quota', async () => {
    const invitee = await registerUser(world);
    await invite(zone, owner, invitee.email);
    const { token } = await waitForInvitation(world, invitee.email);
    const accept = () =>
      invitee.client.post('/api/accept-invite').send({ token, email: invitee.email, emailConsent: true });
    await accept().expect(200);
    await removeMember(invitee);
    await accept().expect(404);
    await invitee.client.get(`/api/zones/${zone.id}`).expect(404);
    expect(await readAudience(world, owner)).toEqual({ used: 0, rows: 0, pending: 0 });
    expect((await invite(zone, owner, invitee.email))[0]).toMatchObject({ status: 'INVITED' });
  });

  it('ends invitations when the zone is deleted', async () => {
    const { token } = await inviteNewAddress(world, zone, owner);
    await owner.client.delete(`/api/zones/${zone.id}`).expect(204);
    await world.createClient().get(`/api/invite/${token}`).expect(404);
    expect(await readAudience(world, owner)).toEqual({ used: 0, rows: 0, pending: 0 });
  });

  it('ends an invitation when the user joins another way, without counting twice', async () => {
    const open = await createZone(await grantMoreZones(owner));
    const invitee = await registerUser(world);
    await invite(open, owner, invitee.email);
    await invite(zone, owner, invitee.email);
    expect(await readAudience(world, owner)).toEqual({ used: 1, rows: 1, pending: 2 });
    const { token } = await waitForInvitation(world, invitee.email);
    await joinPublicZone(open, invitee);
    expect(await readAudience(world, owner)).toEqual({ used: 1, rows: 1, pending: 1 });
    expect((await owner.client.get(`/api/zones/${open.id}/invitations`)).body).toEqual([]);
    await world.testApp.em().execute('update users set deactivated_at = now() where id = ?', [owner.id]);
    await invitee.client.get(`/api/invite/${token}`).expect(404);
  });

  it('rejects addresses that are suppressed', async () => {
    const deletedUser = await registerUser(world);
    await deletedUser.client.delete('/api/user').send({ password: PASSWORD });
    await world.testApp.drain();
    const rows = await invite(zone, owner, deletedUser.email);
    expect(rows).toMatchObject([{ status: 'SUPPRESSED', success: false }]);
  });

  const expire = async () => {
    const { expireInvitations } = await import('../../../src/modules/zones/zones.jobs.js');
    const { JobsService } = await import('../../../src/platform/jobs/jobs.service.js');
    await world.testApp.app.get(JobsService).enqueue(world.testApp.em(), expireInvitations, {});
    await world.testApp.drain();
  };
  const again = async (actor: Actor) => {
    const client = world.createClient();
    await client.post('/api/login').send({ email: actor.email, password: PASSWORD }).expect(200);
    return { ...actor, client };
  };
  const removeMember = async (invitee: Actor) => {
    const { MemberRemovalService } = await import('../../../src/modules/zones/leaving/member-removal.service.js');
    const removed = { id: zone.id, ownerId: owner.id, name: zone.name };
    await world.testApp
      .em()
      .transactional((em) =>
        world.testApp.app.get(MemberRemovalService).removeMember(em as never, removed, invitee.id),
      );
  };
});

describeInProcess('Permission to invite', () => {
  it('is granted to the owner and zone admins', async () => {
    const open = await createZone(await grantMoreZones(owner));
    const [admin, member, outsider] = [await registerUser(world), await registerUser(world), await registerUser(world)];
    await joinPublicZone(open, admin);
    await joinPublicZone(open, member);
    await makeAdmin(world, open, admin);
    const [row] = [
      (await invite(open, owner, uniqueEmail()), (await owner.client.get(`/api/zones/${open.id}/invitations`)).body[0]),
    ];
    const calls = (actor: Actor) => [
      actor.client.get(`/api/zones/${open.id}/invitations`),
      actor.client.get(`/api/zones/${open.id}/invitations/${row.id}`),
      actor.client.post(`/api/zones/${open.id}/invitations/${row.id}/resend`),
      actor.client.post(`/api/zones/${open.id}/invite`).send({ emails: [uniqueEmail()] }),
      actor.client.delete(`/api/zones/${open.id}/invitations/${row.id}`),
    ];
    const callAll = async (actor: Actor) => {
      const responses = [];
      for (const call of calls(actor)) responses.push((await call).status);
      return responses;
    };
    expect(await callAll(member)).toEqual([403, 403, 403, 403, 403]);
    expect(await callAll(outsider)).toEqual([404, 404, 404, 404, 404]);
    expect(await callAll({ ...outsider, client: world.createClient() })).toEqual([401, 401, 401, 401, 401]);
    expect(await callAll(admin)).toEqual([200, 200, 200, 200, 204]);
    const foreign = await createZone(await grantMoreZones(outsider));
    expect((await outsider.client.delete(`/api/zones/${foreign.id}/invitations/${row.id}`)).status).toBe(404);
  });
});

describeInProcess('Plan limit on invitations', () => {
  it('applies row by row in list order, and people already counted need no quota', async () => {
    const known = await registerUser(world);
    const open = await createZone(await grantMoreZones(owner));
    await joinPublicZone(open, known);
    await setPeopleLimit(world, owner, 3);
    const emails = [uniqueEmail(), known.email, uniqueEmail(), uniqueEmail(), uniqueEmail()];
    const { body } = await owner.client.post(`/api/zones/${zone.id}/invite`).send({ emails }).expect(200);
    const statuses = body.results.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(['INVITED', 'INVITED', 'INVITED', 'PLAN_LIMIT', 'PLAN_LIMIT']);
    expect(body).toMatchObject({ invited: 3, planLimit: { used: 3, allowed: 3 } });
    expect(await readAudience(world, owner)).toEqual({ used: 3, rows: 3, pending: 3 });
    expect(await listInvitations()).toHaveLength(3);
    await expect(waitForInvitation(world, emails[4]!)).rejects.toThrow();
  });

  it('tells a zone admin only that the zone is full, and emails the owner', async () => {
    const open = await createZone(await grantMoreZones(owner));
    const admin = await registerUser(world);
    await joinPublicZone(open, admin);
    await makeAdmin(world, open, admin);
    await setPeopleLimit(world, owner, 1);
    const { body } = await admin.client
      .post(`/api/zones/${open.id}/invite`)
      .send({ emails: [uniqueEmail()] })
      .expect(200);
    expect(body).toMatchObject({ invited: 0, planLimit: null, results: [{ status: 'ZONE_FULL' }] });
    await world.waitForEmail(owner.email, ({ subject }) => subject.includes("couldn't join"));
  });
});
