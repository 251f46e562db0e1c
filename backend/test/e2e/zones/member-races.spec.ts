import { RequestContext } from '@mikro-orm/core';
import { InvitationExpiryService } from '../../../src/modules/zones/invitations/expiry/invitation-expiry.service.js';
import { MemberTermsService } from '../../../src/modules/zones/members/member-terms.service.js';
import { UnsubscribeLinkService } from '../../../src/modules/zones/leaving/unsubscribe-link.service.js';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { whileTransactionOpen, type UncommittedChange } from '../../support/while-transaction-open.js';
import { readAudience, waitForInvitation, invite, uniqueEmail } from '../../support/people/invitations.js';
import { describeInProcess, World } from '../../support/world.js';
import { ADD_MODE, toCsv, postImport } from './import-helpers.js';
import {
  joinByLink,
  readLink,
  createLink,
  countMembers,
  createPrivateZone,
  type TestLink,
} from '../links/link-helpers.js';

/** In each case, another transaction commits a change between the request's check and its write. */
describeInProcess('Changes between check and write', () => {
  let world: World;
  let owner: Actor;
  let member: Actor;
  let zone: TestZone;
  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    owner = await registerUser(world);
    member = await registerUser(world);
    zone = await createZone(owner);
  });
  afterAll(() => world.close());

  const rows = (sql: string, values: unknown[] = []) =>
    world.testApp.em().execute(sql, values) as Promise<Record<string, unknown>[]>;
  const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
  const requestPublicJoin = () =>
    member.client.post(`/api/public-zones/${zone.publicLink}/join`).send({ email: member.email, emailConsent: true });
  const listMemberIds = async () => {
    const found = await rows(`select user_id from zone_members where zone_id = ? and role <> 'owner'`, [zone.id]);
    return found.map(({ user_id: id }) => Number(id));
  };

  describe('Temporary link', () => {
    const updateLink =
      (set: string) =>
      ({ id }: TestLink): UncommittedChange => ({
        sql: `update temporary_links set ${set} where id = $1`,
        values: [id],
      });

    it.each([
      ['paused', updateLink('is_active = false'), 404, 'LINK_NOT_FOUND'],
      ['expired', updateLink(`expires_at = now() - interval '1 hour'`), 410, 'LINK_EXPIRED'],
      ['used up', updateLink('max_uses = 1, current_uses = 1'), 410, 'LINK_MAX_USES'],
      [
        'deleted',
        ({ id }: TestLink): UncommittedChange => ({ sql: 'delete from temporary_links where id = $1', values: [id] }),
        404,
        'LINK_NOT_FOUND',
      ],
    ])('admits no one if %s meanwhile', async (_case, change, status, code) => {
      const at = await createPrivateZone(world);
      const link = await createLink(at, { maxUses: 1 });
      const response = await whileTransactionOpen(world, change(link), () =>
        joinByLink(member.client, link, member.email),
      );
      expect(outcome(response)).toEqual([status, code]);
      expect(await countMembers(at)).toBe(0);
    });

    it('admits no one if its zone becomes public meanwhile', async () => {
      const at = await createPrivateZone(world);
      const link = await createLink(at);
      const sql = `update zones set type = 'public', public_link = $2 where id = $1`;
      const change = { sql, values: [at.zone.id, uniqueName('link')] };
      const response = await whileTransactionOpen(world, change, () => joinByLink(member.client, link, member.email));
      expect(outcome(response)).toEqual([404, 'LINK_NOT_FOUND']);
      expect(await readLink(at, link.id)).toMatchObject({ currentUses: 0 });
    });
  });

  it('rejects a public link that is replaced meanwhile', async () => {
    const change = { sql: 'update zones set public_link = $2 where id = $1', values: [zone.id, uniqueName('link')] };
    expect(outcome(await whileTransactionOpen(world, change, requestPublicJoin))).toEqual([404, 'LINK_NOT_FOUND']);
    expect(await listMemberIds()).toEqual([]);
  });

  describe('Zone that is deleted meanwhile', () => {
    const whileZoneIsDeleted = <T>(work: () => PromiseLike<T>) =>
      whileTransactionOpen(
        world,
        { sql: 'update zones set deleted_at = now() where id = $1', values: [zone.id] },
        work,
      );
    const expectNoChanges = async () => {
      expect(await listMemberIds()).toEqual([]);
      expect((await readAudience(world, owner)).used).toBe(0);
    };

    it('admits no one by its link', async () => {
      expect(outcome(await whileZoneIsDeleted(requestPublicJoin))).toEqual([404, 'LINK_NOT_FOUND']);
      await expectNoChanges();
    });

    it('admits no one by an invitation', async () => {
      await invite(zone, owner, member.email);
      const { token } = await waitForInvitation(world, member.email);
      const accept = () =>
        member.client.post('/api/accept-invite').send({ token, email: member.email, emailConsent: true });
      expect(outcome(await whileZoneIsDeleted(accept))).toEqual([404, 'INVITATION_INVALID']);
      expect(await listMemberIds()).toEqual([]);
    });

    it('rejects approvals, invitations and imports by the owner', async () => {
      await owner.client.patch(`/api/zones/${zone.id}`).send({ autoJoin: false }).expect(200);
      await requestPublicJoin().expect(200);
      const path = `/api/zones/${zone.id}`;
      const [request] = (await owner.client.get(`${path}/join-requests`)).body;
      const approve = () => owner.client.post(`${path}/join-requests/${request.id}/approve`);
      expect(outcome(await whileZoneIsDeleted(approve))).toEqual([404, 'ZONE_NOT_FOUND']);
      await rows('update zones set deleted_at = null where id = ?', [zone.id]);
      const sendInvitation = () => owner.client.post(`${path}/invite`).send({ emails: [uniqueEmail()] });
      expect(outcome(await whileZoneIsDeleted(sendInvitation))).toEqual([404, 'ZONE_NOT_FOUND']);
      await rows('update zones set deleted_at = null where id = ?', [zone.id]);
      const add = () => postImport(owner.client, zone, toCsv([uniqueEmail()]), ADD_MODE);
      expect(outcome(await whileZoneIsDeleted(add))).toEqual([404, 'ZONE_NOT_FOUND']);
      await expectNoChanges();
    });

    it('does not subtract a member from the counts twice', async () => {
      await joinPublicZone(zone, member);
      const remove = () => owner.client.delete(`/api/zones/${zone.id}/members/${member.id}`);
      expect(outcome(await whileZoneIsDeleted(remove))).toEqual([404, 'MEMBER_NOT_FOUND']);
      expect((await readAudience(world, owner)).used).toBe(1);
    });
  });

  describe('Invitation', () => {
    const acceptAfter = async (sql: string) => {
      await invite(zone, owner, member.email);
      const { token } = await waitForInvitation(world, member.email);
      const change = { sql, values: [zone.id] };
      return whileTransactionOpen(world, change, () =>
        member.client.post('/api/accept-invite').send({ token, email: member.email, emailConsent: true }),
      );
    };

    it.each([
      ['revoked', 'delete from invitations where zone_id = $1'],
      ['resent', `update invitations set digest = null, password_digest = null where zone_id = $1`],
      ['expired', `update invitations set expires_at = now() - interval '1 second' where zone_id = $1`],
    ])('admits no one if %s meanwhile', async (_case, sql) => {
      expect(outcome(await acceptAfter(sql))).toEqual([404, 'INVITATION_INVALID']);
      expect(await listMemberIds()).toEqual([]);
    });

    it('frees its quota once when two workers expire it', async () => {
      await invite(zone, owner, uniqueEmail());
      await rows('update invitations set expires_at = now() where zone_id = ?', [zone.id]);
      const expiry = world.testApp.app.get(InvitationExpiryService);
      const change = { sql: 'update invitations set is_counted = false where zone_id = $1', values: [zone.id] };
      await whileTransactionOpen(world, change, () =>
        RequestContext.create(world.testApp.em(), () => expiry.expireInvitations()),
      );
      expect(await readAudience(world, owner)).toEqual({ used: 1, rows: 1, pending: 1 });
    });

    it('does not deadlock when two requests invite the same addresses in different order', async () => {
      const [first, middle, last] = ['a', 'm', 'z'].map((letter) => `${letter}.${uniqueName('x')}@example.com`);
      const sql = `insert into invitations (zone_id, email, expires_at, created_at)
        values ($1, $2, now() + interval '1 day', now())`;
      const send = (emails: string[]) => owner.client.post(`/api/zones/${zone.id}/invite`).send({ emails });
      const lists = [
        [first!, middle!, last!],
        [last!, middle!, first!],
      ];
      const responses = await whileTransactionOpen(
        world,
        { sql, values: [zone.id, middle!] },
        () => Promise.all(lists.map(send)),
        2,
      );
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      const results = responses.flatMap(({ body }) => body.results as { status: string }[]);
      expect(results.filter(({ status }) => status === 'INVITED')).toHaveLength(2);
    });
  });

  it('subtracts a membership once when two workers expire it', async () => {
    await joinPublicZone(zone, member);
    await rows(`update zone_members set expires_at = now() where zone_id = ? and role <> 'owner'`, [zone.id]);
    const terms = world.testApp.app.get(MemberTermsService);
    const expire = () =>
      RequestContext.create(world.testApp.em(), () => terms.expireMemberships(new AbortController().signal));
    const sql = `update zone_members set is_counted = false where zone_id = $1 and role <> 'owner'`;
    await whileTransactionOpen(world, { sql, values: [zone.id] }, expire);
    expect((await readAudience(world, owner)).used).toBe(1);
  });

  it('counts a closed account and its reimported address once per zone', async () => {
    await rows(`update usage set allowed = null where owner_id = ? and metric = 'zones'`, [owner.id]);
    const other = await createZone(owner);
    await joinPublicZone(zone, member);
    await member.client.delete('/api/user').send({ password: member.password }).expect(204);
    // The membership stays until a job deletes the account; the address already belongs to another user.
    await postImport(owner.client, other, toCsv([member.email]), ADD_MODE).expect(200);
    const readAudienceRows = () => rows('select email_key, zones from audience where owner_id = ?', [owner.id]);
    expect(await readAudienceRows()).toEqual([{ email_key: member.email, zones: 2 }]);
    await owner.client.delete(`/api/zones/${zone.id}`).send({ confirmName: zone.name }).expect(204);
    expect(await readAudienceRows()).toEqual([{ email_key: member.email, zones: 1 }]);
    await world.testApp.drain();
    expect(await readAudience(world, owner)).toMatchObject({ used: 1, rows: 1 });
  });

  describe('Leaving', () => {
    it('rejects a third leave in a year when the second was in progress', async () => {
      await joinPublicZone(zone, member);
      await member.client.post(`/api/zones/${zone.id}/leave`).expect(200);
      await joinPublicZone(zone, member);
      const sql = `with held as (select id from zone_members where zone_id = $1 and user_id = $2 for update)
        insert into zone_leaves (zone_id, user_id, zone_type, via, role, join_method, joined_at, left_at)
        select $1, $2, 'public', 'app', 'member', 'public_link', now(), now() from held`;
      const leave = () => member.client.post(`/api/zones/${zone.id}/leave`);
      const response = await whileTransactionOpen(world, { sql, values: [zone.id, member.id] }, leave);
      expect(outcome(response)).toEqual([409, 'LEAVE_LIMIT']);
      expect(await listMemberIds()).toEqual([member.id]);
    });

    it('is undone by email only if the owner has done nothing since', async () => {
      await joinPublicZone(zone, member);
      const links = world.testApp.app.get(UnsubscribeLinkService);
      const page = `/api/unsubscribe/${links.createToken({ userId: member.id, zoneId: zone.id })}`;
      await world.createClient().post(page).expect(200);
      const change = { sql: 'update zone_leaves set undone_at = now() where zone_id = $1', values: [zone.id] };
      const response = await whileTransactionOpen(world, change, () => world.createClient().post(`${page}/undo`));
      expect(outcome(response)).toEqual([409, 'UNDO_TOO_LATE']);
      expect(await listMemberIds()).toEqual([]);
    });
  });
});
