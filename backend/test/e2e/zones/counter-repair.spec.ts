import { RequestContext } from '@mikro-orm/core';
import pg from 'pg';
import { CounterCheckService } from '../../../src/modules/zones/members/counter-check.service.js';
import { checkCounters } from '../../../src/modules/zones/zones.jobs.js';
import { JobsService } from '../../../src/platform/jobs/jobs.service.js';
import { createZone, registerUsers, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import { readAudience, invite, uniqueEmail } from '../../support/people/invitations.js';
import { describeInProcess, World } from '../../support/world.js';
import { createFolder, uploadFile } from '../files/upload/multipart-helpers.js';
import { importMembers } from './import-helpers.js';

describeInProcess('Counter repair', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;
  let members: Actor[];
  let invitee: string;
  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    owner = await registerUser(world);
    await rows(`update users set plan = 'enterprise' where id = ?`, [owner.id]);
    zone = await createZone(owner);
    members = await registerUsers(world, 3);
    await importMembers(owner, zone, ['email', ...members.map(({ email }) => email)].join('\n'));
    await importMembers(owner, await createZone(owner), `email\n${members[0]!.email}`);
    invitee = uniqueEmail();
    await invite(zone, owner, invitee);
    await uploadFile(owner.client, zone.id, 'a.txt', 'nine bytes');
    const trashed = await uploadFile(owner.client, zone.id, 'b.txt', 'five!');
    await owner.client.post(`/api/zones/${zone.id}/trash`).send({ fileIds: [trashed.id] });
    await createFolder(owner.client, zone.id, 'Folder');
  });
  afterAll(() => world.close());

  const rows = (sql: string, values: unknown[] = []) =>
    world.testApp.em().execute(sql, values) as Promise<Record<string, unknown>[]>;
  const check = async () => {
    await world.testApp.app
      .get(JobsService)
      .enqueue(world.testApp.em(), checkCounters, { slot: new Date().toISOString() });
    await world.testApp.drain();
  };
  const counters = async () => ({
    audience: await rows(
      'select email_key, user_id, zones, pending from audience where owner_id = ? order by email_key',
      [owner.id],
    ),
    zones: await rows(
      `select zone_id, files, folders, members, bytes::int from zone_stats
       where zone_id in (select id from zones where owner_id = ?) order by zone_id`,
      [owner.id],
    ),
    usage: await rows(`select metric, used::int from usage where owner_id = ? and period = '' order by metric`, [
      owner.id,
    ]),
  });
  const repairCounters = async () => {
    const { text } = await world.createClient().get('/metrics');
    const of = (kind: string) =>
      Number(new RegExp(`zonary_counters_repaired_total\\{kind="${kind}"\\} (\\d+)`).exec(text)?.[1]);
    return ['people', 'zones', 'usage'].map(of);
  };

  it('leaves correct counters unchanged', async () => {
    const [before, count] = [await counters(), await repairCounters()];
    await check();
    expect([await counters(), await repairCounters()]).toEqual([before, count]);
  });

  it('repairs wrong counters and counts them in the metrics', async () => {
    const [before, [people, zones, usage]] = [await counters(), await repairCounters()];
    const [one, two] = members.map(({ email }) => email);
    await rows('update audience set zones = 7, pending = 3 where owner_id = ? and email_key = ?', [owner.id, one]);
    await rows('delete from audience where owner_id = ? and email_key = ?', [owner.id, two]);
    await rows('update audience set pending = 0 where owner_id = ? and email_key = ?', [owner.id, invitee]);
    await rows(`insert into audience (owner_id, email_key, zones) values (?, 'nobody@example.com', 1)`, [owner.id]);
    await rows('update zone_stats set files = 9, folders = 9, members = 9, bytes = 9 where zone_id = ?', [zone.id]);
    await rows(`update usage set used = used + 5 where owner_id = ? and metric in ('bytes', 'zones')`, [owner.id]);
    await check();
    expect(await counters()).toEqual(before);
    expect(await repairCounters()).toEqual([people! + 4, zones! + 1, usage! + 2]);
  });

  it('does not corrupt counters that change concurrently', async () => {
    const { email } = members[1]!;
    const [holder, watcher] = [1, 2].map(() => new pg.Client(world.testApp.connection as pg.ClientConfig));
    await Promise.all([holder!.connect(), watcher!.connect()]);
    try {
      await rows('update audience set zones = 5 where owner_id = ? and email_key = ?', [owner.id, email]);
      // As when a membership expires: first the row, then the counter.
      await holder!.query('begin');
      await holder!.query('update zone_members set is_counted = false where zone_id = $1 and email = $2', [
        zone.id,
        email,
      ]);
      const less = 'update audience set zones = zones - 1 where owner_id = $1 and email_key = $2';
      await holder!.query(less, [owner.id, email]);
      const app = world.testApp.app.get(CounterCheckService);
      const { signal } = new AbortController();
      const done = RequestContext.create(world.testApp.em(), () => app.checkCounters({}, { signal }));
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      while ((await watcher!.query(waiting)).rowCount === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      await holder!.query('commit');
      await done;
    } finally {
      await Promise.all([holder!.end(), watcher!.end()]);
    }
    const found = await rows('select zones from audience where owner_id = ? and email_key = ?', [owner.id, email]);
    expect(found).toEqual([]);
    expect(await readAudience(world, owner)).toEqual({ used: 3, rows: 3, pending: 1 });
    const [stats] = await rows('select members from zone_stats where zone_id = ?', [zone.id]);
    expect(stats).toEqual({ members: 2 });
  });
});
