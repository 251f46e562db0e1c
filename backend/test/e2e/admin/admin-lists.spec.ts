import { MikroORM } from '@mikro-orm/postgresql';
import { addMilliseconds, MINUTE } from '../../../src/platform/clock/clock.js';
import { productVersion } from '../../../src/platform/config/version.js';
import { SuppressionRepository } from '../../../src/modules/zones/leaving/suppression.repository.js';
import { createZone, joinPublicZone, registerUser, uniqueName, type Actor } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { listAuditEntriesBy, registerStaff } from './staff-helpers.js';

describeInProcess('Administration', () => {
  let world: World;
  let superAdmin: Actor;
  let admin: Actor;
  let owner: Actor;

  beforeAll(async () => {
    world = await World.open();
    ({ superAdmin, admin } = await registerStaff(world));
    owner = await registerUser(world);
  });
  afterAll(() => world.close());

  const get = (path: string, query: object = {}) => admin.client.get(`/api/admin/${path}`).query(query);
  const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);
  const grant = (plan: string) =>
    superAdmin.client.patch(`/api/admin/users/${owner.id}/plan`).send({ plan }).expect(200);

  it('shows totals and days of the installation', async () => {
    const { body } = await get('stats').expect(200);
    expect(body).toEqual({
      asOf: expect.any(String),
      totalUsers: 3,
      newUsersThisMonth: 3,
      totalZones: 0,
      publicZones: 0,
      privateZones: 0,
      totalFiles: 0,
      totalStorage: 0,
      totalCampaigns: 0,
      emailsSentThisMonth: 0,
    });
    const { body: days } = await get('stats/days', { days: 7 }).expect(200);
    expect(days).toHaveLength(7);
    expect(days.at(-1)).toMatchObject({ day: world.testApp.clock.now().toISOString().slice(0, 10) });
    for (const wrong of [0, 367, 'x']) await get('stats/days', { days: wrong }).expect(400);
    const files = ['users', 'zones', 'activity', 'audit-log', 'jobs', 'suppressions', 'feature-suggestions'];
    for (const path of ['stats', 'stats/days', 'system', ...files.map((list) => `${list}/export`)])
      await owner.client.get(`/api/admin/${path}`).expect(403);
  });

  it('lists zones with owners and counts and deletes them like their owners', async () => {
    await grant('creator');
    const word = uniqueName('Işık');
    const [open, shut] = [
      await createZone(owner, { name: `${word} açık` }),
      await createZone(owner, { name: `${word} kapalı`, type: 'private' }),
    ];
    const member = await registerUser(world);
    await joinPublicZone(open, member);
    await owner.client.get(`/api/zones/${open.id}/members/export`).expect(200);
    expect(
      (await get('audit-log', { type: 'zone.members-exported', userId: owner.id }).expect(200)).body[0],
    ).toMatchObject({ params: { zoneId: open.id }, ipAddress: expect.stringMatching(/^(127\.0\.0\.1|::1)$/) });
    const { body, headers } = await get('zones', { q: word.toLocaleUpperCase('tr') }).expect(200);
    expect(headers['x-total-count']).toBe('2');
    expect(idsOf(body)).toEqual([shut.id, open.id]);
    expect(idsOf((await get('zones', { q: `${word} kapali` }).expect(200)).body)).toEqual([shut.id]);
    expect(body[1]).toEqual({
      id: open.id,
      name: open.name,
      description: '',
      type: 'public',
      isPublic: true,
      fileCount: 0,
      memberCount: 1,
      totalBytes: 0,
      ownerId: owner.id,
      ownerEmail: owner.email,
      can: { delete: false },
      createdAt: expect.any(String),
    });
    expect(idsOf((await get('zones', { q: owner.email, type: 'private' }).expect(200)).body)).toEqual([shut.id]);
    const byMembers = await get('zones', { ownerId: owner.id, sort: 'memberCount', perPage: 1 }).expect(200);
    expect(idsOf(byMembers.body)).toEqual([open.id]);
    const orders = ['createdAt', 'name', 'ownerEmail', 'fileCount', 'memberCount', 'totalBytes'];
    for (const sort of orders) {
      for (const order of ['asc', 'desc'] as const) {
        const filtered = idsOf((await get('zones', { ownerId: owner.id, sort, order }).expect(200)).body);
        expect([sort, filtered.toSorted()]).toEqual([sort, [open.id, shut.id]]);
        const whole = await get('zones', { sort, order, perPage: 1000 }).expect(200);
        expect(Number(whole.headers['x-total-count'])).toBe(whole.body.length);
        expect([sort, idsOf(whole.body).filter((id) => filtered.includes(id))]).toEqual([sort, filtered]);
        const parts = await Promise.all([1, 2].map((page) => get('zones', { sort, order, perPage: 1, page })));
        expect(parts.map(({ body: rows }) => rows[0].id)).toEqual(idsOf(whole.body).slice(0, 2));
      }
    }
    await get('zones', { sort: 'public_link' }).expect(400);
    const { text } = await get('zones/export', { q: word }).expect(200);
    expect(text.trim().split('\r\n')).toHaveLength(3);

    for (const actor of [superAdmin, admin]) await actor.client.get(`/api/zones/${shut.id}/files`).expect(404);
    await admin.client.delete(`/api/admin/zones/${open.id}`).expect(403);
    await owner.client.delete(`/api/admin/zones/${open.id}`).expect(403);
    await superAdmin.client.delete(`/api/admin/zones/${open.id}`).expect(204);
    await superAdmin.client.delete(`/api/admin/zones/${open.id}`).expect(404);
    await member.client.get(`/api/zones/${open.id}`).expect(404);
    for (const sort of orders) expect(idsOf((await get('zones', { sort }).expect(200)).body)).not.toContain(open.id);
    await world.testApp.drain();
    expect((await listAuditEntriesBy(world, superAdmin)).at(-1)).toMatchObject({
      type: 'zone.deleted',
      subject_id: owner.id,
      params: { zoneId: open.id },
      ip_address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
    });
    const notifications = async () =>
      (await world.listEmails(owner.email)).filter(({ subject }) => /was deleted$/.test(subject));
    expect((await notifications()).map(({ subject }) => subject)).toEqual([`Your zone ${open.name} was deleted`]);
    // Owners get no notification of a zone they delete themselves.
    await owner.client.delete(`/api/zones/${shut.id}`).expect(204);
    await world.testApp.drain();
    const usage = (await superAdmin.client.get(`/api/admin/users/${owner.id}`).expect(200)).body.usage;
    expect(usage.slice(0, 2)).toMatchObject([{ used: 0 }, { used: 0 }]);
    expect(await notifications()).toHaveLength(1);
  });

  it('lists activity in words, by user, type and time', async () => {
    const zone = await createZone(await registerUser(world), { name: uniqueName('Zone') });
    const member = await registerUser(world, { firstName: 'Nur', lastName: 'Kaya' });
    await joinPublicZone(zone, member);
    const { body, headers } = await get('activity', { q: 'nur kaya', type: 'member.joined' }).expect(200);
    expect(headers['x-total-count']).toBe('1');
    expect(body[0]).toMatchObject({
      type: 'member.joined',
      message: `Nur Kaya joined “${zone.name}”`,
      userEmail: member.email,
      timestamp: body[0].createdAt,
      userId: member.id,
    });
    const turkish = await get('activity', { userId: member.id, type: 'member.joined' }).set('Accept-Language', 'tr');
    expect(turkish.body[0].message).toContain('Nur Kaya');
    const at = body[0].createdAt;
    expect((await get('activity', { userId: member.id, to: at }).expect(200)).headers['x-total-count']).toBe('0');
    expect((await get('activity', { userId: member.id, from: at }).expect(200)).body[0].id).toBe(body[0].id);
    const pages = [1, 2].map((page) => get('activity', { perPage: 1, page }).expect(200));
    const [first, second] = (await Promise.all(pages)).map(({ body: rows }) => rows[0].id);
    expect(first).toBeGreaterThan(second);
    const wrong = [
      { from: 'soon' },
      { from: '1' },
      { to: '2026-02-30' },
      { from: ['2026-01-01', '2026-01-02'] },
      { to: '-271821-04-20T00:00:00Z' },
      { userId: 'x' },
      { sort: 'type' },
    ];
    for (const query of wrong) await get('activity', query).expect(400);
    const { text } = await get('activity/export', { userId: member.id }).expect(200);
    expect(text).toContain(member.email);
  });

  it('reads the audit log by type, user and time and lists its types', async () => {
    const { body } = await get('audit-log', { q: owner.email, type: 'plan.granted' }).expect(200);
    expect(body[0]).toMatchObject({
      type: 'plan.granted',
      actorId: superAdmin.id,
      actorEmail: superAdmin.email,
      subjectId: owner.id,
      subjectEmail: owner.email,
      params: { plan: 'creator' },
      ipAddress: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
    });
    const ofBoth = await get('audit-log', { q: superAdmin.email, perPage: 1000 }).expect(200);
    expect(idsOf(ofBoth.body)).toContain(body[0].id);
    const later = { type: 'plan.granted', from: addMilliseconds(world.testApp.clock.now(), MINUTE).toISOString() };
    expect((await get('audit-log', later).expect(200)).body).toEqual([]);
    const types = (await get('audit-log/types').expect(200)).body;
    expect(types).toEqual([...new Set(types)].sort());
    expect(types).toEqual(expect.arrayContaining(['plan.granted', 'user.registered']));
    const { text } = await get('audit-log/export', { type: 'plan.granted', userId: owner.id }).expect(200);
    expect(text).toContain('""plan"":""creator""');
    expect((await get(`audit-log/${body[0].id}`).expect(200)).body).toEqual(body[0]);
    expect((await get('audit-log/999999999').expect(404)).body.code).toBe('AUDIT_ENTRY_NOT_FOUND');
    await admin.client.delete(`/api/admin/audit-log/${body[0].id}`).expect(404);
  });

  describe('with jobs', () => {
    let dead: number;
    let running: number;
    let waiting: number;
    const insert = async (more: string, name = 'auth.send-password-reset') => {
      const [row] = await world.testApp.em().execute<{ id: number }[]>(
        `insert into jobs (queue, name, payload, run_at, attempts, max_attempts, created_at, state, last_error, lease_token, lease_until)
         values ('mail', ?, '{"email": "nobody@example.com"}', now() + interval '1 day', 10, 10, now(), ${more}) returning id`,
        [name],
      );
      return Number(row!.id);
    };
    beforeEach(async () => {
      dead = await insert(`'dead', 'Boom: the mail server is away', null, null`);
      running = await insert(`'running', null, gen_random_uuid(), now() + interval '1 hour'`);
      waiting = await insert(`'queued', 'Not yet', null, null`);
    });
    afterEach(() => world.testApp.em().execute('delete from jobs'));

    const stateOf = async (id: number) =>
      (await world.testApp.em().execute('select state, attempts from jobs where id = ?', [id]))[0];

    it('lists them by state, queue and name', async () => {
      const { body } = await get('jobs', { state: 'dead' }).expect(200);
      expect(body[0]).toMatchObject({
        id: dead,
        queue: 'mail',
        name: 'auth.send-password-reset',
        state: 'dead',
        attempts: 10,
        maxAttempts: 10,
        lastError: 'Boom: the mail server is away',
        payload: { email: 'nobody@example.com' },
      });
      expect((await get(`jobs/${dead}`).expect(200)).body).toEqual(body[0]);
      expect((await get('jobs/999999999').expect(404)).body.code).toBe('JOB_NOT_FOUND');
      expect(idsOf((await get('jobs', { queue: 'mail', q: 'password' }).expect(200)).body)).toEqual([
        waiting,
        running,
        dead,
      ]);
      expect((await get('jobs', { queue: 'default' }).expect(200)).body).toEqual([]);
      for (const query of [{ state: 'done' }, { queue: 'x' }, { sort: 'payload' }])
        await get('jobs', query).expect(400);
    });

    it('pages through them without a gap or a repetition', async () => {
      const others = [
        await insert(`'dead', 'Boom again', null, null`),
        await insert(`'dead', 'And again', null, null`),
      ];
      const pages = [1, 2, 3].map((page) => get('jobs', { state: 'dead', perPage: 1, page }).expect(200));
      const responses = await Promise.all(pages);
      expect(responses.map(({ body }) => idsOf(body))).toEqual([[others[1]], [others[0]], [dead]]);
      expect(responses.map(({ headers }) => headers['x-total-count'])).toEqual(['3', '3', '3']);
    });

    it('retries dead and waiting jobs but not running ones', async () => {
      await admin.client.post(`/api/admin/jobs/${dead}/retry`).expect(204);
      expect(await stateOf(dead)).toEqual({ state: 'queued', attempts: 0 });
      await admin.client.post(`/api/admin/jobs/${waiting}/retry`).expect(204);
      expect((await admin.client.post(`/api/admin/jobs/${running}/retry`).expect(409)).body.code).toBe(
        'JOB_IS_RUNNING',
      );
      await world.testApp.drain();
      expect(await stateOf(dead)).toBeUndefined();
      expect(await stateOf(waiting)).toBeUndefined();
      await admin.client.post(`/api/admin/jobs/${dead}/retry`).expect(404);
      expect(
        (await listAuditEntriesBy(world, admin)).slice(-2).map(({ type, params }) => [type, params.jobId]),
      ).toEqual([
        ['job.retried', dead],
        ['job.retried', waiting],
      ]);
    });

    it('retries all dead jobs once for concurrent requests', async () => {
      const responses = await Promise.all([1, 2, 3, 4, 5].map(() => admin.client.post('/api/admin/jobs/retry-dead')));
      expect(responses.map(({ body }) => body.retried).sort()).toEqual([0, 0, 0, 0, 1]);
      expect(await stateOf(running)).toMatchObject({ state: 'running' });
    });

    it('discards only dead jobs', async () => {
      for (const id of [running, waiting]) {
        expect((await admin.client.delete(`/api/admin/jobs/${id}`).expect(409)).body.code).toBe('JOB_NOT_DEAD');
      }
      await admin.client.delete(`/api/admin/jobs/${dead}`).expect(204);
      await admin.client.delete(`/api/admin/jobs/${dead}`).expect(404);
      expect((await listAuditEntriesBy(world, admin)).at(-1)).toMatchObject({
        type: 'job.discarded',
        params: { jobId: dead },
      });
    });

    it('exports them without formulas and audits the export', async () => {
      await insert(`'dead', '=HYPERLINK("x")', null, null`, '+odd.job');
      const { text, headers } = await get('jobs/export', { state: 'dead' }).expect(200);
      expect(headers['content-disposition']).toBe('attachment; filename="jobs.csv"');
      const [head, odd, known, ...others] = text.trim().split('\r\n');
      expect(head).toBe('id,queue,name,state,attempts,maxAttempts,runAt,lastError,payload,createdAt');
      expect(odd).toContain(`,'+odd.job,dead,10,10,`);
      expect(odd).toContain(`"'=HYPERLINK(""x"")"`);
      expect(known).toMatch(new RegExp(`^${dead},mail,auth\\.send-password-reset,dead,`));
      expect(others).toEqual([]);
      expect((await listAuditEntriesBy(world, admin)).at(-1)).toMatchObject({
        type: 'admin.list-exported',
        params: { list: 'jobs' },
        ip_address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
      });
      await get('jobs/export', { state: 'done' }).expect(400);
    });

    it('shows no cron run from before the installation', async () => {
      const em = world.testApp.em();
      const name = 'jobs.purge-cron-runs';
      await em.execute('delete from clock_runs where name = ?', [name]);
      await em.execute(`insert into clock_runs (name, slot) values (?, '2001-02-03T04:05:06Z')`, [name]);
      const [first] = await em.execute<{ began: Date }[]>('select min(executed_at) as began from mikro_orm_migrations');
      const { body } = await get('clock-jobs').expect(200);
      const job = body.find((candidate: { name: string }) => candidate.name === name);
      expect(new Date(job.lastSlot)).toEqual(new Date(first!.began));
    });

    it('lists cron jobs and the state of the queues', async () => {
      const { body, headers } = await get('clock-jobs').expect(200);
      expect(Number(headers['x-total-count'])).toBe(body.length);
      const purge = body.find(({ name }: { name: string }) => name === 'jobs.purge-cron-runs');
      expect(purge).toMatchObject({ cron: expect.any(String), dead: 0, nextSlot: expect.any(String) });
      const { body: system } = await get('system').expect(200);
      expect(system).toMatchObject({
        version: productVersion(),
        nodeVersion: process.version,
        databaseVersion: expect.stringMatching(/^1[5-9]/),
        schemaVersion: expect.stringMatching(/^\d{4}-/),
        storageType: 'local',
        sendsMail: false,
      });
      expect(system.databaseBytes).toBeGreaterThan(1_000_000);
      expect(system.tables).toHaveLength(10);
      const mail = system.queues.find(({ queue }: { queue: string }) => queue === 'mail');
      expect(mail).toMatchObject({ due: 0, later: 1, running: 1, dead: 1, oldestDueAt: null });
      const secrets = [world.testApp.config.appSecret, world.testApp.config.dataDir];
      for (const secret of secrets) expect(JSON.stringify(system)).not.toContain(secret);
    });
  });

  it('shows suppressions without addresses and lifts only failures', async () => {
    const suppressions = world.testApp.app.get(SuppressionRepository);
    const em = world.testApp.app.get(MikroORM).em.fork() as never;
    const address = `${uniqueName('bounce')}@example.com`;
    await suppressions.addSuppression(em, owner.id, address, 'failed');
    await suppressions.addSuppression(em, owner.id, `other-${address}`, 'complaint');
    await suppressions.addSuppression(em, null, address, 'erased');
    const { body } = await get('suppressions', { q: ` ${address.toUpperCase()} ` }).expect(200);
    expect(body).toMatchObject([
      { ownerId: null, ownerEmail: null, reason: 'erased', canLift: false },
      { ownerId: owner.id, ownerEmail: owner.email, reason: 'failed', canLift: true },
    ]);
    expect(JSON.stringify(body)).not.toContain(address);
    const [complaint] = (await get('suppressions', { reason: 'complaint' }).expect(200)).body;
    for (const { id } of [complaint, body[0]]) {
      const rejected = await admin.client.delete(`/api/admin/suppressions/${id}`).expect(409);
      expect(rejected.body.code).toBe('SUPPRESSION_STAYS');
    }
    const { text } = await get('suppressions/export', { q: address }).expect(200);
    const [head, ...lines] = text.trim().split('\r\n');
    expect(head).toBe('id,ownerId,ownerEmail,reason,createdAt');
    expect(lines.map((line) => line.split(',').slice(0, 4).join())).toEqual([
      `${body[0].id},,,erased`,
      `${body[1].id},${owner.id},${owner.email},failed`,
    ]);
    expect(text).not.toContain(address);
    await owner.client.delete(`/api/admin/suppressions/${body[1].id}`).expect(403);
    const responses = await Promise.all(
      [1, 2, 3].map(() => admin.client.delete(`/api/admin/suppressions/${body[1].id}`)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    expect((await get('suppressions', { q: address }).expect(200)).body).toHaveLength(1);
    expect((await listAuditEntriesBy(world, admin)).at(-1)).toMatchObject({
      type: 'suppression.lifted',
      subject_id: owner.id,
    });
  });
});
