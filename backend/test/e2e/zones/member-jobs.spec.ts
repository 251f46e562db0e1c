import { purgeExpiredSecrets } from '../../../src/modules/auth/auth.jobs.js';
import { eraseLinkVisitors, markExpiredLinks, purgePendingJoins } from '../../../src/modules/links/links.jobs.js';
import { expireMembers, expireInvitations, purgeInvitations } from '../../../src/modules/zones/zones.jobs.js';
import type { CronJobDefinition, CronRunPayload, JobDefinition } from '../../../src/platform/jobs/job-definition.js';
import { JobsService } from '../../../src/platform/jobs/jobs.service.js';
import {
  createZone,
  joinPublicZone,
  registerUsers,
  registerUser,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { setInviteLimit, setPeopleLimit, readAudience, invite, uniqueEmail } from '../../support/people/invitations.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { describeInProcess, World } from '../../support/world.js';
import { joinByLink, createLink, type PrivateZone } from '../links/link-helpers.js';

/** Two workers on one database get the same work at the same time, and then again. */
describeInProcess('Scheduled jobs for members, invitations and links on two workers', () => {
  let world: World;
  let second: TestApp;
  let owner: Actor;
  let zone: TestZone;
  beforeAll(async () => {
    world = await World.open();
    second = await createTestApp({}, [], world.testApp.connection);
  });
  beforeEach(async () => {
    owner = await registerUser(world);
    zone = await createZone(owner);
  });
  afterAll(async () => {
    await second.close();
    await world.close();
  });

  const rows = (sql: string, values: unknown[] = []) =>
    world.testApp.em().execute(sql, values) as Promise<Record<string, unknown>[]>;
  const runTwice = async (definition: CronJobDefinition<CronRunPayload> | CronJobDefinition<Record<string, never>>) => {
    const job = definition as JobDefinition<CronRunPayload>;
    const slot = new Date().toISOString();
    for (let copy = 0; copy < 4; copy++)
      await world.testApp.app.get(JobsService).enqueue(world.testApp.em(), job, { slot });
    await Promise.all([world.testApp.drain(), second.drain()]);
    expect(await rows('select 1 from jobs where name = ?', [job.name])).toEqual([]);
  };
  const memberCount = async () => (await owner.client.get(`/api/zones/${zone.id}`).expect(200)).body.memberCount;

  it('subtract each expired member from the counts once', async () => {
    const newMembers = await registerUsers(world, 12);
    await Promise.all(newMembers.map((actor) => joinPublicZone(zone, actor)));
    await rows(
      `update zone_members set expires_at = now() - interval '1 second' where zone_id = ? and role <> 'owner'
       and user_id <> ?`,
      [zone.id, newMembers[0]!.id],
    );
    for (let round = 0; round < 2; round++) {
      await runTwice(expireMembers);
      expect(await memberCount()).toBe(1);
      expect(await readAudience(world, owner)).toEqual({ used: 1, rows: 1, pending: 0 });
      expect(
        await rows(`select 1 from activity where zone_id = ? and type = 'member.expired'`, [zone.id]),
      ).toHaveLength(11);
    }
  });

  it('free the quota of each expired invitation once, in batches', async () => {
    await setPeopleLimit(world, owner, 5000);
    await setInviteLimit(world, owner);
    const open = uniqueEmail();
    await invite(zone, owner, open, ...Array.from({ length: 1100 }, uniqueEmail));
    await rows(`delete from jobs where name = 'zones.send-invitation'`);
    expect(await readAudience(world, owner)).toEqual({ used: 1101, rows: 1101, pending: 1101 });
    await rows(`update invitations set expires_at = now() - interval '1 second' where zone_id = ? and email <> ?`, [
      zone.id,
      open,
    ]);
    for (let round = 0; round < 2; round++) {
      await runTwice(expireInvitations);
      expect(await readAudience(world, owner)).toEqual({ used: 1, rows: 1, pending: 1 });
    }
  });

  it('delete invitations 30 days after their end and no others', async () => {
    const [old, recent, open] = [uniqueEmail(), uniqueEmail(), uniqueEmail()];
    await invite(zone, owner, old, recent, open);
    const endInvitation = (email: string, days: number) =>
      rows(
        `update invitations set is_counted = false, expires_at = now() - ? * interval '1 day'
         where zone_id = ? and email = ?`,
        [days, zone.id, email],
      );
    await endInvitation(old, 30);
    await endInvitation(recent, 29);
    for (let round = 0; round < 2; round++) {
      await runTwice(purgeInvitations);
      const left = await rows('select email from invitations where zone_id = ? order by id', [zone.id]);
      expect(left.map(({ email }) => email).sort()).toEqual([recent, open].sort());
    }
  });

  it('record the end of each link once', async () => {
    const at = await createPrivateZoneWithOwner();
    const links = [await createLink(at), await createLink(at), await createLink(at)];
    await rows(`update temporary_links set expires_at = now() - interval '1 second' where id in (?, ?)`, [
      links[0]!.id,
      links[1]!.id,
    ]);
    for (let round = 0; round < 2; round++) {
      await runTwice(markExpiredLinks);
      const marks = await rows(
        `select params->>'linkId' as id from audit_log where type = 'temporary-link.expired' and params->>'zoneId' = ?`,
        [String(at.zone.id)],
      );
      expect(marks.map(({ id }) => Number(id)).sort()).toEqual([links[0]!.id, links[1]!.id].sort());
    }
  });

  it('delete the addresses of join attempts after 90 days and unconfirmed joins after a week', async () => {
    const at = await createPrivateZoneWithOwner();
    const link = await createLink(at);
    for (let count = 0; count < 4; count++) await joinByLink(world.createClient(), link, uniqueEmail()).expect(200);
    const [first, second] = await rows('select id from link_usages where link_id = ? order by id', [link.id]);
    await rows(`update link_usages set attempted_at = now() - interval '90 days' where id in (?, ?)`, [
      first!.id,
      second!.id,
    ]);
    await rows(`update pending_joins set expires_at = now() - interval '7 days' where usage_id in (?, ?)`, [
      first!.id,
      second!.id,
    ]);
    for (let round = 0; round < 2; round++) {
      await runTwice(eraseLinkVisitors);
      await runTwice(purgePendingJoins);
      const tries = await rows('select ip_address from link_usages where link_id = ? order by id', [link.id]);
      expect(tries.map(({ ip_address: from }) => from !== null)).toEqual([false, false, true, true]);
      expect(await rows('select 1 from pending_joins where link_id = ?', [link.id])).toHaveLength(2);
    }
  });

  it('delete expired sessions at once and email tokens after a week', async () => {
    const other = await registerUser(world);
    const link = await createLink(await createPrivateZoneWithOwner());
    for (let count = 0; count < 2; count++) await joinByLink(world.createClient(), link, uniqueEmail()).expect(200);
    await world.testApp.drain();
    await rows(`update sessions set expire = now() - interval '1 second' where user_id = ?`, [other.id]);
    const joins = await rows('select id from pending_joins where link_id = ? order by id', [link.id]);
    const [old, fresh] = joins.map(({ id }) => `join:${String(id)}`);
    await rows(`update single_use_tokens set expires_at = now() - interval '7 days' where subject = ?`, [old]);
    for (let round = 0; round < 2; round++) {
      await runTwice(purgeExpiredSecrets);
      expect(await rows('select 1 from sessions where user_id = ?', [other.id])).toEqual([]);
      expect(await rows('select 1 from sessions where user_id = ?', [owner.id])).toHaveLength(1);
      const tokens = await rows('select subject from single_use_tokens where subject in (?, ?)', [old, fresh]);
      expect(tokens).toEqual([{ subject: fresh }]);
    }
  });

  /** A private zone of a new owner, for temporary links. */
  async function createPrivateZoneWithOwner(): Promise<PrivateZone> {
    const holder = await registerUser(world);
    return { owner: holder, zone: await createZone(holder, { type: 'private' }) };
  }
});
