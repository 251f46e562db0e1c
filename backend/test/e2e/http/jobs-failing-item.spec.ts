import { EmailQuotaService } from '../../../src/modules/campaigns/quota/email-quota.service.js';
import { RollUpService } from '../../../src/modules/insights/roll-up/roll-up.service.js';
import { EntitlementService } from '../../../src/modules/integrations/entitlements/entitlement.service.js';
import { WaitingEntitlementService } from '../../../src/modules/integrations/entitlements/waiting-entitlement.service.js';
import { notifyInactivity } from '../../../src/modules/integrations/integrations.jobs.js';
import { InactivityMonitorService } from '../../../src/modules/integrations/inactivity/inactivity-monitor.service.js';
import { PendingJoinService } from '../../../src/modules/links/joining/pending-join.service.js';
import { notifyLimitReached } from '../../../src/modules/plans/plans.jobs.js';
import { UsageService } from '../../../src/modules/plans/usage.service.js';
import { LimitWarningService } from '../../../src/modules/plans/warnings/limit-warning.service.js';
import { InvitationExpiryService } from '../../../src/modules/zones/invitations/expiry/invitation-expiry.service.js';
import { InvitationQuotaService } from '../../../src/modules/zones/invitations/invitation-quota.service.js';
import { NonMemberEmailQuotaService } from '../../../src/modules/zones/email-quota/non-member-email-quota.service.js';
import type { JobContext } from '../../../src/platform/jobs/job-definition.js';
import { JobsService } from '../../../src/platform/jobs/jobs.service.js';
import { WEBHOOK_SECRETS } from '../../support/webhook-deliveries.js';
import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../support/people/actors.js';
import { setInviteLimit, setPeopleLimit, invite, uniqueEmail } from '../../support/people/invitations.js';
import { describeInProcess, World } from '../../support/world.js';

const BROKEN = new Error('This one always fails.');

/** Each job processes two items, of which the first always fails. */
describeInProcess('Job with a failing item', () => {
  let world: World;
  let owners: [Actor, Actor];
  let zones: [TestZone, TestZone];
  beforeAll(async () => {
    world = await World.open(WEBHOOK_SECRETS);
  });
  beforeEach(async () => {
    owners = [await registerUser(world), await registerUser(world)];
    zones = [await createZone(owners[0], { type: 'private' }), await createZone(owners[1], { type: 'private' })];
    await world.testApp.drain();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.close());

  const run: JobContext = { id: 1, attempt: 1, isLastAttempt: false, signal: new AbortController().signal };
  const tick = { slot: '2026-03-10T12:00:00.000Z' };
  const execute = (sql: string, values: unknown[] = []) =>
    world.testApp.em().execute<Record<string, unknown>[]>(sql, values);
  const ofOwners = () => owners.map(({ id }) => id);

  it('still admits customers waiting behind a failing purchase', async () => {
    const ids: number[] = [];
    for (const zone of zones) {
      const person = await registerUser(world);
      const [row] = await execute(
        `insert into entitlements (source, purchase_id, external_id, zone_id, user_id, state, occurred_at, finality,
           created_at, updated_at)
         values ('woocommerce', ?, ?, ?, ?, 'waiting', now(), 1, now(), now()) returning id`,
        [uniqueName('order'), uniqueName('line'), zone.id, person.id],
      );
      ids.push(Number(row!.id));
    }
    const seen: number[] = [];
    jest.spyOn(world.testApp.app.get(EntitlementService), 'admitWaitingCustomer').mockImplementation((id) => {
      seen.push(id);
      return id === ids[0] ? Promise.reject(BROKEN) : Promise.resolve();
    });
    await expect(world.testApp.app.get(WaitingEntitlementService).admitWaitingCustomers({}, run)).rejects.toThrow(
      '1 failed',
    );
    expect(seen).toEqual(ids);
    await execute('delete from entitlements where id in (?, ?)', ids);
  });

  it('still warns the next owner when one warning fails', async () => {
    for (const owner of owners) await setPeopleLimit(world, owner, 100);
    await execute(`update usage set used = allowed where metric = 'people' and owner_id in (?, ?)`, ofOwners());
    const jobs = world.testApp.app.get(JobsService);
    const real = jobs.enqueue.bind(jobs);
    jest
      .spyOn(jobs, 'enqueue')
      .mockImplementation((em, definition, payload, options) =>
        definition.name === notifyLimitReached.name && (payload as { ownerId?: number }).ownerId === owners[0].id
          ? Promise.reject(BROKEN)
          : real(em, definition, payload, options),
      );
    const listWarnings = () =>
      execute(
        `select owner_id as id from usage_warnings where metric = 'people' and owner_id in (?, ?) order by 1`,
        ofOwners(),
      );
    await expect(world.testApp.app.get(LimitWarningService).enqueueWarnings(tick, run)).rejects.toThrow('1 failed');
    expect(await listWarnings()).toEqual([{ id: owners[1].id }]);
    jest.restoreAllMocks();
    // The first warning isn't recorded, so the retry sends it.
    await world.testApp.app.get(LimitWarningService).enqueueWarnings(tick, run);
    expect(await listWarnings()).toEqual(ofOwners().map((id) => ({ id })));
  });

  it('still frees expired invitations of the next owner', async () => {
    for (const [index, zone] of zones.entries()) {
      await setInviteLimit(world, owners[index]!);
      await invite(zone, owners[index]!, uniqueEmail());
    }
    await world.testApp.drain();
    await execute(`update invitations set expires_at = now() - interval '1 minute' where zone_id in (?, ?)`, [
      zones[0].id,
      zones[1].id,
    ]);
    const quota = world.testApp.app.get(InvitationQuotaService);
    const real = quota.releaseInvitations.bind(quota);
    jest
      .spyOn(quota, 'releaseInvitations')
      .mockImplementation((em, ownerId, emails) =>
        ownerId === owners[0].id ? Promise.reject(BROKEN) : real(em, ownerId, emails),
      );
    const listCountedFlags = () =>
      execute(`select is_counted as counted from invitations where zone_id in (?, ?) order by zone_id`, [
        zones[0].id,
        zones[1].id,
      ]);
    await expect(world.testApp.app.get(InvitationExpiryService).expireAllInvitations({}, run)).rejects.toThrow(
      '1 failed',
    );
    expect(await listCountedFlags()).toEqual([{ counted: true }, { counted: false }]);
    jest.restoreAllMocks();
    await world.testApp.app.get(InvitationExpiryService).expireAllInvitations({}, run);
    expect(await listCountedFlags()).toEqual([{ counted: false }, { counted: false }]);
  });

  it('still opens the monthly quota of the next owner', async () => {
    await execute(`delete from usage where metric = 'mails' and owner_id in (?, ?)`, ofOwners());
    const usage = world.testApp.app.get(UsageService);
    const real = usage.openMonthlyQuota.bind(usage);
    jest
      .spyOn(usage, 'openMonthlyQuota')
      .mockImplementation((em, ownerId, period) =>
        ownerId === owners[0].id ? Promise.reject(BROKEN) : real(em, ownerId, period),
      );
    await expect(world.testApp.app.get(EmailQuotaService).openMonthlyQuotas({}, run)).rejects.toThrow('1 failed');
    const opened = await execute(
      `select owner_id as id from usage where metric = 'mails' and owner_id in (?, ?)`,
      ofOwners(),
    );
    expect(opened).toEqual([{ id: owners[1].id }]);
  });

  it('still rolls up the current day when an earlier day fails', async () => {
    const readProgress = async () =>
      (await execute(`select through from roll_ups where name = 'activity'`)).map(({ through }) => Number(through));
    const rollUp = world.testApp.app.get(RollUpService);
    await rollUp.runRollUp();
    const before = await readProgress();
    await execute(`insert into dirty_days (day) values ('2026-01-01')`);
    jest.spyOn(rollUp as never as { recountDirtyDay(): Promise<void> }, 'recountDirtyDay').mockRejectedValue(BROKEN);
    world.testApp.clock.advance(3_600_000);
    await expect(rollUp.runRollUp()).rejects.toThrow('1 failed');
    expect((await readProgress())[0]).toBeGreaterThan(before[0]!);
    await execute('delete from dirty_days');
  });

  it('still sends the held email of the next join', async () => {
    const emails = zones.map(() => uniqueEmail());
    for (const [index, zone] of zones.entries()) {
      const now = world.testApp.clock.now();
      await execute(
        `insert into pending_joins (email, zone_id, language, created_at, expires_at, is_mail_held)
         values (?, ?, 'en', ?, ?, true)`,
        [emails[index], zone.id, now, new Date(now.getTime() + 86_400_000)],
      );
    }
    const emailQuota = world.testApp.app.get(NonMemberEmailQuotaService);
    const real = emailQuota.reserveJoinEmail.bind(emailQuota);
    jest
      .spyOn(emailQuota, 'reserveJoinEmail')
      .mockImplementation((em, zone, email) => (email === emails[0] ? Promise.reject(BROKEN) : real(em, zone, email)));
    const findPending = () =>
      execute('select is_mail_held as held from pending_joins where email in (?, ?) order by id', emails);
    await expect(world.testApp.app.get(PendingJoinService).sendHeldEmails(tick, run)).rejects.toThrow('1 failed');
    expect(await findPending()).toEqual([{ held: true }, { held: false }]);
    jest.restoreAllMocks();
    // The first email isn't recorded as sent, so the retry sends it.
    await world.testApp.app.get(PendingJoinService).sendHeldEmails(tick, run);
    expect(await findPending()).toEqual([{ held: false }, { held: false }]);
  });

  it('still detects an inactive sender behind a failing one', async () => {
    const [first, second] = ['woocommerce', 'acedumy'];
    await execute(
      `insert into integration_webhooks (source, delivery_id, event, status, created_at)
       select source, source || n, 'test', 'completed', ?::timestamptz - n * interval '1 hour'
       from unnest(array[?, ?]::text[]) source, generate_series(100, 110) n order by n desc`,
      [world.testApp.clock.now(), first, second],
    );
    const jobs = world.testApp.app.get(JobsService);
    const real = jobs.enqueue.bind(jobs);
    jest
      .spyOn(jobs, 'enqueue')
      .mockImplementation((em, definition, payload, options) =>
        definition.name === notifyInactivity.name && (payload as { source?: string }).source === first
          ? Promise.reject(BROKEN)
          : real(em, definition, payload, options),
      );
    const listSilences = () => execute('select source from integration_silences order by source');
    await expect(world.testApp.app.get(InactivityMonitorService).detectInactivity({}, run)).rejects.toThrow('1 failed');
    expect(await listSilences()).toEqual([{ source: second }]);
    jest.restoreAllMocks();
    await world.testApp.app.get(InactivityMonitorService).detectInactivity({}, run);
    expect(await listSilences()).toEqual([{ source: second }, { source: first }]);
  });
});
