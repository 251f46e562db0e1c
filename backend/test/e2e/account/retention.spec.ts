import { utcDayOf, utcStartOf } from '../../../src/modules/insights/day.js';
import { retentionPolicies, type RetentionPolicy } from '../../../src/modules/retention/retention-policies.sql.js';
import { RetentionService, REMOVAL_BATCH_SIZE } from '../../../src/modules/retention/retention.service.js';
import { applyRetention } from '../../../src/modules/retention/retention.jobs.js';
import { JobsService } from '../../../src/platform/jobs/jobs.service.js';
import {
  purgeSecurityEvents,
  SecurityEventLogService,
} from '../../../src/platform/security-events/security-event-log.service.js';
import { createZone, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { insertOldCampaign } from './old-campaign.js';

const DAY = 86_400_000;

describeInProcess('Retention policies', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;
  beforeAll(async () => {
    world = await World.open({ METRICS_TOKEN: 'a token for the figures', RETENTION_IPS: '30' });
  });
  beforeEach(async () => {
    owner = await registerUser(world);
    zone = await createZone(owner);
  });
  afterAll(() => world.close());

  const rows = async (sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
    world.testApp.em().execute(sql, values);
  const count = async (sql: string, values: unknown[] = []) =>
    Number((await rows(`select count(*) as n from ${sql}`, values))[0]!.n);
  const run = (signal = new AbortController().signal, kinds?: RetentionPolicy[]) =>
    world.testApp.app.get(RetentionService).applyPolicies(signal, kinds);
  /** All retention policies, with one replaced. */
  const withKind = (name: string, change: (remove: RetentionPolicy['removeBatch']) => RetentionPolicy['removeBatch']) =>
    retentionPolicies.map((kind) => (kind.name === name ? { ...kind, removeBatch: change(kind.removeBatch) } : kind));
  /** The instant `days` and some hours (one by default) before the application's time. */
  const ago = (days: number, hours = 1) =>
    new Date(world.testApp.clock.now().getTime() - days * DAY - hours * 3_600_000);

  const addUsage = (at: Date, fields: { country?: string; outcome?: string; joined?: boolean; isNew?: boolean } = {}) =>
    rows(
      `insert into link_usages (zone_id, outcome, country, was_new_user, attempted_at, joined_at)
       values (?, ?, ?, ?, ?, ?) returning id`,
      [
        zone.id,
        fields.outcome ?? 'asked',
        fields.country ?? null,
        fields.isNew ?? false,
        at,
        fields.joined ? at : null,
      ],
    );
  const readFigures = async () =>
    (await owner.client.get(`/api/zones/${zone.id}/public-link/analytics`).expect(200)).body as Record<string, unknown>;

  const addActivity = (at: Date) =>
    rows(
      `insert into activity (type, owner_id, zone_id, user_id, params, created_at) values ('zone.updated', ?, ?, ?, '{}', ?)`,
      [owner.id, zone.id, owner.id, at],
    );

  it('keep the remains of a deleted zone for three years', async () => {
    for (const [id, days] of [
      [900_001, 1094],
      [900_002, 1096],
    ] as const) {
      await rows(`insert into deleted_zones (id, name, deleted_at) values (?, 'Gone', ?)`, [id, ago(days)]);
      await rows(
        `insert into email_consents (zone_id, user_id, consented_at, consent_method, consent_text)
         values (?, ?, now(), 'public_link', 'Yes')`,
        [id, owner.id],
      );
      await rows(`insert into email_unsubscribes (zone_id, user_id, unsubscribed_at) values (?, ?, now())`, [
        id,
        owner.id,
      ]);
      await rows(
        `insert into zone_leaves (zone_id, user_id, zone_type, via, role, join_method, joined_at, left_at)
         values (?, ?, 'public', 'app', 'member', 'public_link', now(), now())`,
        [id, owner.id],
      );
    }
    await run();
    for (const table of ['email_consents', 'email_unsubscribes', 'zone_leaves']) {
      expect(await rows(`select zone_id from ${table} where user_id = ?`, [owner.id])).toEqual([{ zone_id: 900_001 }]);
    }
  });

  it('delete webhook bodies after 90 days and keep the delivery', async () => {
    const add = (delivery: string, status: string, at: Date) =>
      rows(
        `insert into integration_webhooks (source, delivery_id, event, status, webhook_data, created_at)
         values ('woocommerce', ?, 'order.updated', ?, convert_to('{}', 'UTF8'), ?)`,
        [`${zone.id}-${delivery}`, status, at],
      );
    await add('old', 'completed', ago(90));
    await add('failed', 'failed', ago(90));
    await add('waiting', 'pending', ago(90));
    await add('young', 'completed', ago(90, -1));
    await run();
    const found = await rows(
      `select delivery_id as id, webhook_data is null as gone from integration_webhooks where delivery_id like ? order by 1`,
      [`${zone.id}-%`],
    );
    expect(found.map(({ id, gone }) => [String(id).split('-')[1], gone])).toEqual([
      ['failed', true],
      ['old', true],
      ['waiting', false],
      ['young', false],
    ]);
  });

  it('delete IP addresses after the configured days and keep the rows', async () => {
    const campaign = await insertOldCampaign(world, zone, ago(500));
    const mail = await campaign.addDelivery();
    await campaign.addEvent(mail, ago(30), null);
    await campaign.addEvent(mail, ago(30, -1), null);
    const audit = (at: Date) =>
      rows(
        `insert into audit_log (type, actor_id, params, ip_address, created_at) values ('zone.created', ?, '{}', '192.0.2.1', ?)`,
        [owner.id, at],
      );
    await audit(ago(30));
    await audit(ago(30, -1));
    await run();
    const events = `select ip_address as ip from campaign_events where campaign_id = ? order by created_at`;
    expect(await rows(events, [campaign.id])).toEqual([{ ip: null }, { ip: '192.0.2.1' }]);
    const entries = `select ip_address as ip from audit_log where actor_id = ? and ip_address is not distinct from '192.0.2.1'`;
    expect(await rows(entries, [owner.id])).toHaveLength(1);
    expect(await count(`audit_log where actor_id = ? and created_at < ?`, [owner.id, ago(29)])).toBe(2);
  });

  it('delete security event series together with their networks', async () => {
    const trail = world.testApp.app.get(SecurityEventLogService);
    for (const [ipAddress, days] of [
      ['192.0.2.1', 32],
      ['192.0.2.2', 29],
    ] as const) {
      await trail.recordRejection({ kind: 'sign-in-failed', detail: 'password', userId: owner.id, ipAddress });
      await rows('update security_events set day = day - ?::int where user_id = ? and network = ? returning id', [
        days,
        owner.id,
        ipAddress,
      ]);
    }
    await world.testApp.app
      .get(JobsService)
      .enqueue(world.testApp.em(), purgeSecurityEvents, { slot: new Date().toISOString() });
    await world.testApp.drain();
    expect(await rows('select network from security_events where user_id = ?', [owner.id])).toEqual([
      { network: '192.0.2.2' },
    ]);
  });

  it('delete join attempts after 400 days and keep the link figures', async () => {
    for (const at of [ago(400), ago(700), ago(400, -1), ago(3)]) {
      await addUsage(at, { country: 'TR' });
      await addUsage(at, { country: 'DE', outcome: 'joined', joined: true, isNew: true });
      await addUsage(at, { outcome: 'LINK_EXPIRED' });
    }
    const [before, overTime] = await readFigures().then(({ recentJoins: _, overTime, ...rest }) => [rest, overTime]);
    expect(before).toMatchObject({ totalAttempts: 12, successfulJoins: 4, newUsers: 4, existingUsers: 0 });
    await run();
    expect(await count('link_usages where zone_id = ?', [zone.id])).toBe(6);
    expect(await readFigures()).toMatchObject({ ...(before as object), overTime });
    await run();
    expect(await readFigures()).toMatchObject(before as object);
    await rows(`update link_usages set attempted_at = attempted_at - interval '400 days' where zone_id = ?`, [zone.id]);
    await run();
    expect(await count('link_usages where zone_id = ?', [zone.id])).toBe(0);
    expect(await readFigures()).toMatchObject(before as object);
  });

  it('delete activity after 400 days, by whole partitions and whole days', async () => {
    const month = new Date(Date.UTC(2001, 4, 1));
    await rows(`create table if not exists activity_2001_05 (like activity including all)`);
    await rows(
      `alter table activity attach partition activity_2001_05 for values from ('2001-05-01+00') to ('2001-06-01+00')`,
    );
    await addActivity(new Date(month.getTime() + DAY));
    await addActivity(ago(401));
    await addActivity(utcStartOf(utcDayOf(ago(400, 0))));
    await rows('delete from dirty_days');
    await rows(
      `insert into roll_ups (name, through) values ('activity', now() + interval '10 years')
       on conflict (name) do update set through = excluded.through`,
    );
    await rows(`insert into dirty_days (day) values ('2001-05-02')`);
    await run();
    // A day that still has to be recounted keeps its source rows.
    expect(await count('activity where zone_id = ? and created_at < ?', [zone.id, ago(398)])).toBe(3);
    await rows('delete from dirty_days');
    await run();
    expect(await rows(`select to_regclass('activity_2001_05') as name`)).toEqual([{ name: null }]);
    expect(await count('activity where zone_id = ? and created_at < ?', [zone.id, ago(398)])).toBe(1);
  });

  it('keep everything where the installation says so', async () => {
    const unlimited = await World.open({ RETENTION_LINK_USAGES: '0' });
    try {
      const someone = await registerUser(unlimited);
      const otherZone = await createZone(someone);
      await unlimited.testApp
        .em()
        .execute(`insert into link_usages (zone_id, outcome, attempted_at) values (?, 'asked', '2001-01-01')`, [
          otherZone.id,
        ]);
      await unlimited.testApp.app.get(RetentionService).applyPolicies(new AbortController().signal);
      expect(await unlimited.testApp.em().execute('select 1 as one from link_usages')).toEqual([{ one: 1 }]);
    } finally {
      await unlimited.close();
    }
  });

  it('delete in bounded batches, even when the worker stops midway', async () => {
    const full = 4;
    const all = (full + 1) * REMOVAL_BATCH_SIZE + 500;
    await rows(
      `insert into link_usages (zone_id, outcome, country, attempted_at)
       select ?, 'asked', case when n % 2 = 0 then 'TR' end, ?::timestamptz - n * interval '1 second'
       from generate_series(1, ?::int) n`,
      [zone.id, ago(500), all],
    );
    const stop = new AbortController();
    const stopping = withKind('link-usages', (remove) => async (em, before, most) => {
      const removedCount = await remove(em, before, most);
      stop.abort();
      return removedCount;
    });
    await expect(run(stop.signal, stopping)).rejects.toThrow();
    expect(await count('link_usages where zone_id = ?', [zone.id])).toBe(all - REMOVAL_BATCH_SIZE);
    const batches: number[] = [];
    const counting = withKind('link-usages', (remove) => async (em, before, most) => {
      batches.push(await remove(em, before, most));
      return batches.at(-1)!;
    });
    await run(new AbortController().signal, counting);
    expect(batches).toEqual([...Array.from({ length: full }, () => REMOVAL_BATCH_SIZE), 500, 0]);
    expect(await readFigures()).toMatchObject({
      totalAttempts: all,
      countries: [
        { country: 'TR', attempts: all / 2, joins: 0 },
        { country: null, attempts: all / 2, joins: 0 },
      ],
    });
  });

  it('continue when one kind fails, which the metrics name', async () => {
    const broken = withKind('webhook-bodies', () => () => Promise.reject(new Error('the disk is full')));
    await addUsage(ago(500));
    await expect(run(new AbortController().signal, broken)).rejects.toThrow('webhook-bodies');
    expect(await count('link_usages where zone_id = ?', [zone.id])).toBe(0);
    const metrics = async () =>
      (await world.createClient().get('/metrics').set('Authorization', 'Bearer a token for the figures').expect(200))
        .text;
    expect(await metrics()).toContain('zonary_retention_failing{kind="webhook-bodies"} 1');
    expect(await metrics()).toMatch(/zonary_retention_removed\{kind="link-usages"\} [1-9]/);
  });

  it('run as a scheduled job, without counting twice on two workers', async () => {
    for (let index = 0; index < 20; index++) await addUsage(ago(500), { country: 'FR' });
    for (let copy = 0; copy < 3; copy++) {
      await world.testApp.app
        .get(JobsService)
        .enqueue(world.testApp.em(), applyRetention, { slot: new Date().toISOString() });
    }
    await Promise.all([world.testApp.drain(), run(), run()]);
    expect(await readFigures()).toMatchObject({
      totalAttempts: 20,
      countries: [{ country: 'FR', attempts: 20, joins: 0 }],
    });
  });
});
