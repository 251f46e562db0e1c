import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../support/people/actors.js';
import { readAudience, waitForInvitation, invite } from '../../support/people/invitations.js';
import { joinAsRestrictedUser } from '../../support/people/restricted-user.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { DAY } from '../../../src/platform/clock/clock.js';

interface Open {
  readonly id: number;
  readonly zoneName: string;
  readonly inviterName: string;
  readonly requiresEmailOptin: boolean;
  readonly consentText: string;
}

describeInProcess('Open invitations on the home page', () => {
  let world: World;
  let owner: Actor;
  let invitee: Actor;
  let zone: TestZone;
  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    owner = await registerUser(world, { firstName: 'Grace', lastName: 'Hopper' });
    invitee = await registerUser(world);
    zone = await createZone(owner, { type: 'private' });
    await invite(zone, owner, invitee.email);
  });
  afterAll(() => world.close());

  const listInvitations = async (client: Client = invitee.client) =>
    (await client.get('/api/home').expect(200)).body.invitations as Open[];
  const accept = (id: number, body: object = { emailConsent: true }, client: Client = invitee.client) =>
    client.post(`/api/user/invitations/${id}/accept`).send(body);
  const isIn = async () => (await invitee.client.get(`/api/zones/${zone.id}`)).status === 200;
  const sql = (text: string, values: unknown[]) => world.testApp.em().execute(text, values);
  const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
  const notFound = [404, 'INVITATION_NOT_FOUND'];

  it('show inviter and zone, and add the member as the emailed link does', async () => {
    const { token } = await waitForInvitation(world, invitee.email);
    const [invitation, ...others] = await listInvitations();
    expect(others).toEqual([]);
    expect(invitation).toMatchObject({ zoneName: zone.name, inviterName: 'Grace Hopper' });
    expect(invitation!.consentText).toBeTruthy();
    expect((await accept(invitation!.id).expect(200)).body).toEqual({ zoneId: zone.id });
    expect(await isIn()).toBe(true);
    expect(await listInvitations()).toEqual([]);
    const [member] = await sql(
      'select join_method, invited_by_id from zone_members where zone_id = ? and user_id = ?',
      [zone.id, invitee.id],
    );
    expect(member).toMatchObject({ join_method: 'invite', invited_by_id: owner.id });
    const [consent] = await sql('select consent_method from email_consents where zone_id = ? and user_id = ?', [
      zone.id,
      invitee.id,
    ]);
    expect(consent).toEqual({ consent_method: 'invite' });
    expect(await readAudience(world, owner)).toEqual({ used: 1, rows: 1, pending: 0 });
    // The owner is notified, as of any accepted invitation.
    await world.waitForEmail(owner.email, (mail) => mail.text.includes(zone.name));
    const secondAcceptance = await invitee.client
      .post('/api/accept-invite')
      .send({ token, email: invitee.email, emailConsent: true });
    expect(codeOf(secondAcceptance)).toEqual([409, 'ALREADY_MEMBER']);
  });

  it('are indicated in the session of a user without zones', async () => {
    const isOnlyInvited = async ({ client }: Actor) => (await client.get('/api/user').expect(200)).body.isOnlyInvited;
    expect([await isOnlyInvited(invitee), await isOnlyInvited(await registerUser(world))]).toEqual([true, false]);
    const host = await registerUser(world);
    await createZone(host);
    await invite(zone, owner, host.email);
    expect(await isOnlyInvited(host)).toBe(false);
    const [invitation] = await listInvitations();
    await accept(invitation!.id).expect(200);
    expect(await isOnlyInvited(invitee)).toBe(false);
  });

  it('require consent only where the zone asks for it', async () => {
    await sql('update zones set requires_email_optin = true where id = ?', [zone.id]);
    const [invitation] = await listInvitations();
    expect(invitation!.requiresEmailOptin).toBe(true);
    expect(codeOf(await accept(invitation!.id, {}))).toEqual([400, 'CONSENT_REQUIRED']);
    expect(await isIn()).toBe(false);
    await sql('update zones set requires_email_optin = false where id = ?', [zone.id]);
    await accept(invitation!.id, {}).expect(200);
    expect(await sql('select 1 from email_consents where user_id = ?', [invitee.id])).toEqual([]);
  });

  it('return the same 404 for other addresses, used and unknown ones', async () => {
    const outsider = await registerUser(world);
    const [invitation] = await listInvitations();
    const foreign = await accept(invitation!.id, {}, outsider.client);
    const unknown = await accept(4_000_000_000);
    await accept(invitation!.id).expect(200);
    const used = await accept(invitation!.id);
    expect([codeOf(foreign), codeOf(unknown), codeOf(used)]).toEqual([notFound, notFound, notFound]);
    expect(foreign.body.message).toBe(unknown.body.message);
  });

  it('are hidden and rejected once ended or while the address is unverified', async () => {
    const [invitation] = await listInvitations();
    const expectHiddenWhile = async (change: string, back: string) => {
      await sql(change, []);
      expect([await listInvitations(), codeOf(await accept(invitation!.id))]).toEqual([[], notFound]);
      await sql(back, []);
      expect(await listInvitations()).toHaveLength(1);
    };
    const setExpiry = `update invitations set expires_at =`;
    const now = world.testApp.clock.now();
    const [past, ahead] = [now, new Date(now.getTime() + DAY)].map((at) => `'${at.toISOString()}'`);
    await expectHiddenWhile(
      `${setExpiry} ${past} where id = ${invitation!.id}`,
      `${setExpiry} ${ahead} where id = ${invitation!.id}`,
    );
    const user = `update users set email_verified =`;
    await expectHiddenWhile(`${user} false where id = ${invitee.id}`, `${user} true where id = ${invitee.id}`);
    const closed = `update users set deactivated_at =`;
    await expectHiddenWhile(`${closed} now() where id = ${owner.id}`, `${closed} null where id = ${owner.id}`);
    const block = `insert into zone_blocks (zone_id, user_id, blocked_at) values (${zone.id}, ${invitee.id}, now())`;
    await expectHiddenWhile(block, `delete from zone_blocks where user_id = ${invitee.id}`);
    const { body } = await owner.client.get(`/api/zones/${zone.id}/invitations`).expect(200);
    await owner.client.delete(`/api/zones/${zone.id}/invitations/${body[0].id}`).expect(204);
    expect([await listInvitations(), codeOf(await accept(invitation!.id))]).toEqual([[], notFound]);
  });

  it('are accepted once by 20 concurrent tabs and the email', async () => {
    const [invitation] = await listInvitations();
    const { token } = await waitForInvitation(world, invitee.email);
    const [emailed, ...responses] = await Promise.all([
      invitee.client.post('/api/accept-invite').send({ token, email: invitee.email, emailConsent: true }),
      ...Array.from({ length: 20 }, () => accept(invitation!.id)),
    ]);
    const all = [emailed, ...responses].map(({ status }) => status);
    expect(all.filter((status) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status !== 200).map(codeOf)).toEqual(
      responses.filter(({ status }) => status !== 200).map(() => notFound),
    );
    const [members] = await sql('select count(*) from zone_members where zone_id = ? and user_id = ?', [
      zone.id,
      invitee.id,
    ]);
    expect(Number(members!.count)).toBe(1);
    expect(await readAudience(world, owner)).toEqual({ used: 1, rows: 1, pending: 0 });
  });

  it('are shown to users without a profile', async () => {
    const open = await createZone(await registerUser(world));
    const email = `${uniqueName('new')}@example.com`;
    const client = await joinAsRestrictedUser(world, open, email);
    await invite(zone, owner, email);
    const [invitation] = (await client.get('/api/home').expect(200)).body.invitations as Open[];
    await accept(invitation!.id, { emailConsent: true }, client).expect(200);
    await client.get(`/api/zones/${zone.id}`).expect(200);
  });
});
