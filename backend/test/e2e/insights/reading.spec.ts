import { randomUUID } from 'node:crypto';
import { createReadingPartitions, rollUpReading } from '../../../src/modules/insights/insights.jobs.js';
import { RetentionService } from '../../../src/modules/retention/retention.service.js';
import { retentionPolicies } from '../../../src/modules/retention/retention-policies.sql.js';
import { CronScheduler } from '../../../src/platform/jobs/cron/cron-scheduler.js';
import type { CronJobDefinition } from '../../../src/platform/jobs/job-definition.js';
import { createZone, joinPublicZone, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { createApiToken, reauthenticate } from '../auth/account-helpers.js';
import { createEncryptedPdf, pdfWithPages } from '../files/rendering/generated/pdf-samples.js';
import { uploadFile } from '../files/upload/multipart-helpers.js';
import { replaceFile } from '../files/versions/version-helpers.js';
import { allowUnlimitedZones } from '../mirrors/mirror-helpers.js';
import { DAY, MINUTE, queryRows, utcDay } from './insights-helpers.js';

const SECOND = 1000;

interface Entry {
  readonly page: number;
  readonly ms: number;
}

describeInProcess('Reading', () => {
  let world: World;
  let owner: Actor;
  let member: Actor;
  let zone: TestZone;
  /** A document of five pages. */
  let id: number;

  beforeAll(async () => {
    world = await World.open();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    owner = await registerUser(world);
    await allowUnlimitedZones(world, owner);
    zone = await createZone(owner);
    member = await registerUser(world, { firstName: '=Rosa', lastName: 'Luz' });
    await joinPublicZone(zone, member);
    ({ id } = await uploadFile(owner.client, zone.id, 'plan.pdf', pdfWithPages(5)));
    await world.testApp.drain();
    // At noon, what happens within some hours happens on the same day.
    const now = world.testApp.clock.now().getTime();
    world.testApp.clock.advance(Math.ceil(now / DAY) * DAY + DAY / 2 - now);
  });

  const send = (client: Client, entries: readonly Entry[], changes: object = {}, fileId = id) =>
    client.post(`/api/files/${fileId}/pages/reading`).send({ batch: randomUUID(), version: 1, entries, ...changes });
  /** Sends a batch a minute after whatever happened before, so that its time is credited. */
  const read = async (client: Client, ...entries: Entry[]) => {
    world.testApp.clock.advance(MINUTE);
    return (await send(client, entries).expect(200)).body as { isRecorded: boolean };
  };
  const runJob = async (job: CronJobDefinition) => {
    await world.testApp.app.get(CronScheduler).enqueueCronRun(job, world.testApp.clock.now());
    await world.testApp.drain();
  };
  const rollUp = async () => {
    world.testApp.clock.advance(MINUTE);
    await runJob(rollUpReading);
  };
  const readFigures = async () => (await owner.client.get(`/api/files/${id}/reading`).expect(200)).body;
  const readOwn = async ({ client } = member) => (await client.get(`/api/files/${id}/reading/mine`).expect(200)).body;
  const countReads = async () => (await queryRows(world, 'select 1 from page_reads where file_id = ?', [id])).length;

  it('is shown to the owner by page, by day and by reader', async () => {
    const other = await registerUser(world);
    await joinPublicZone(zone, other);
    await read(member.client, ...[1, 2, 3, 4, 5].map((page) => ({ page, ms: 4 * SECOND })));
    await read(other.client, { page: 1, ms: 3 * SECOND }, { page: 2, ms: 8 * SECOND }, { page: 3, ms: SECOND });
    await read(other.client, { page: 2, ms: 2 * SECOND });
    await rollUp();
    expect(await readFigures()).toEqual({
      version: 1,
      isRecorded: true,
      pageCount: 5,
      readers: 2,
      completed: 1,
      completion: expect.closeTo(0.7),
      ms: 34 * SECOND,
      pages: [
        { page: 1, readers: 2, ms: 7 * SECOND, stops: 0 },
        { page: 2, readers: 2, ms: 14 * SECOND, stops: 1 },
        // A second is no reading of a page, but its time counts.
        { page: 3, readers: 1, ms: 5 * SECOND, stops: 0 },
        { page: 4, readers: 1, ms: 4 * SECOND, stops: 0 },
        { page: 5, readers: 1, ms: 4 * SECOND, stops: 0 },
      ],
      days: [{ day: utcDay(world), readers: 2, ms: 34 * SECOND }],
    });
    const list = await owner.client.get(`/api/files/${id}/reading/readers?limit=1`).expect(200);
    expect(list.headers['x-total-count']).toBe('2');
    expect(list.body).toEqual([
      {
        userId: other.id,
        name: 'Ada Test',
        email: other.email,
        firstAt: expect.any(String),
        lastAt: expect.any(String),
        ms: 14 * SECOND,
        pagesRead: 2,
        lastPage: 2,
        joinedByLink: true,
        linkId: null,
        linkName: null,
      },
    ]);
    const next = /<([^>]+)>/.exec(String(list.headers.link))![1]!;
    expect((await owner.client.get(next).expect(200)).body).toMatchObject([{ userId: member.id, pagesRead: 5 }]);
    const { text } = await owner.client.get(`/api/files/${id}/reading.csv`).expect(200);
    expect(text).toContain(`'=Rosa Luz,${member.email}`);
    expect(await readOwn()).toMatchObject({ ms: 20 * SECOND, lastPage: 5, pages: [1, 2, 3, 4, 5] });
    expect(await readOwn(owner)).toEqual({ firstAt: null, lastAt: null, ms: 0, lastPage: null, pages: [] });
  });

  it('credits a batch once and at most the time since the last one, also of parallel batches', async () => {
    await world.testApp.clock.freezeWhile(async () => {
      const batch = randomUUID();
      // As many entries as a batch may have.
      await send(
        member.client,
        Array.from({ length: 50 }, () => ({ page: 1, ms: SECOND / 5 })),
        { batch },
      ).expect(200);
      world.testApp.clock.advance(15 * SECOND);
      await send(member.client, [{ page: 1, ms: 10 * SECOND }], { batch: batch.toUpperCase() }).expect(200);
      expect(await readOwn()).toMatchObject({ ms: 10 * SECOND });
      const claims = Array.from({ length: 5 }, () => send(member.client, [{ page: 2, ms: 5 * MINUTE }]).expect(200));
      await Promise.all(claims);
      expect(await readOwn()).toMatchObject({ ms: 25 * SECOND, pages: [1, 2] });
      world.testApp.clock.advance(DAY);
      await send(
        member.client,
        [3, 4].map((page) => ({ page, ms: 4 * MINUTE })),
      ).expect(200);
      expect(await readOwn()).toMatchObject({ ms: 25 * SECOND + 5 * MINUTE, pages: [1, 2, 3, 4] });
      // The clock of a server was wrong.
      world.testApp.clock.advance(-2 * 60 * MINUTE);
      await send(member.client, [{ page: 5, ms: MINUTE }]).expect(200);
      world.testApp.clock.advance(3 * SECOND);
      await send(member.client, [{ page: 5, ms: MINUTE }]).expect(200);
      expect(await readOwn()).toMatchObject({ ms: 28 * SECOND + 5 * MINUTE, pages: [1, 2, 3, 4, 5] });
    });
  });

  it('rejects what was not read', async () => {
    const codeOf = async (entries: unknown, changes: object = {}, client = member.client) =>
      (await send(client, entries as Entry[], changes)).body.code as string;
    const page = [{ page: 1, ms: 1000 }];
    for (const entries of [
      [],
      'x',
      [{ page: 0, ms: 1 }],
      [{ page: 1.5, ms: 1 }],
      [{ page: 1, ms: -1 }],
      [{ page: 1, ms: 1e12 }],
      [{ page: 1 }],
      [null],
      Array.from({ length: 51 }, () => page[0]),
    ])
      expect([entries, await codeOf(entries)]).toEqual([entries, 'VALIDATION_FAILED']);
    expect(await codeOf(page, { batch: 'x' })).toBe('VALIDATION_FAILED');
    expect(await codeOf(page, { version: undefined })).toBe('VALIDATION_FAILED');
    expect(await codeOf([...page, { page: 6, ms: 1000 }])).toBe('PAGE_NOT_FOUND');
    expect(await codeOf(page, { version: 2 })).toBe('FILE_CHANGED');
    expect(await codeOf(page, {}, world.createClient())).toBe('NOT_SIGNED_IN');
    expect(await codeOf(page, {}, (await registerUser(world)).client)).toBe('FILE_NOT_FOUND');
    await reauthenticate(member);
    const { token } = await createApiToken(member, 'write');
    const program = world.createClient();
    program.set('Authorization', `Bearer ${token}`);
    expect(await codeOf(page, {}, program)).toBe('SESSION_REQUIRED');
    const notes = await uploadFile(owner.client, zone.id, 'notes.html', '<html></html>');
    expect((await send(member.client, page, {}, notes.id).expect(404)).body.code).toBe('PAGE_NOT_FOUND');
    await owner.client.delete(`/api/zones/${zone.id}/members/${member.id}`).expect(204);
    expect(await codeOf(page)).toBe('FILE_NOT_FOUND');
    expect(await countReads()).toBe(0);
  });

  it('is recorded for a document with a password by sessions that entered it', async () => {
    ({ id } = await uploadFile(owner.client, zone.id, 'locked.pdf', createEncryptedPdf('pass', undefined, 3)));
    await world.testApp.drain();
    expect((await send(member.client, [{ page: 1, ms: SECOND }]).expect(423)).body.code).toBe('DOCUMENT_LOCKED');
    await member.client.post(`/api/files/${id}/pages/unlock`).send({ password: 'pass' }).expect(204);
    expect(await read(member.client, { page: 3, ms: 4 * SECOND })).toEqual({ isRecorded: true });
    expect((await send(member.client, [{ page: 4, ms: SECOND }]).expect(404)).body.code).toBe('PAGE_NOT_FOUND');
    expect(await readOwn()).toMatchObject({ ms: 4 * SECOND, pages: [3] });
    // The number of pages of such a document isn't stored.
    expect(await readFigures()).toMatchObject({ pageCount: null, readers: 1, completed: 0, completion: null });
  });

  it('counts the contents of a replaced file apart', async () => {
    await read(member.client, { page: 1, ms: 5 * SECOND });
    await replaceFile(owner.client, id, 'plan.pdf', pdfWithPages(2)).expect(201);
    await world.testApp.drain();
    world.testApp.clock.advance(MINUTE);
    const { body } = await send(member.client, [{ page: 2, ms: 5 * SECOND }]).expect(409);
    expect(body.code).toBe('FILE_CHANGED');
    await send(member.client, [{ page: 2, ms: 3 * SECOND }], { version: 2 }).expect(200);
    await rollUp();
    expect(await readFigures()).toMatchObject({
      version: 2,
      pageCount: 2,
      readers: 1,
      completed: 0,
      ms: 3 * SECOND,
      pages: [{ page: 2, readers: 1, ms: 3 * SECOND, stops: 1 }],
      days: [{ readers: 1, ms: 8 * SECOND }],
    });
    expect(await readOwn()).toMatchObject({ pages: [2] });
  });

  it('is recorded for members who agreed to words that mention it', async () => {
    const setConsent = (changes: string, ...values: unknown[]) =>
      queryRows(world, `update email_consents set ${changes} where user_id = ? returning id`, [...values, member.id]);
    const [consent] = await queryRows<{ consent_text: string }>(
      world,
      'select consent_text from email_consents where user_id = ?',
      [member.id],
    );
    const isRecorded = async () => {
      const { body } = await member.client.get(`/api/files/${id}/pages`).expect(200);
      expect(await read(member.client, { page: 1, ms: 5 * SECOND })).toEqual({ isRecorded: body.recordsReading });
      return body.recordsReading as boolean;
    };
    expect(await isRecorded()).toBe(true);
    await setConsent('consent_text = ?', 'The owner can see which files I view.');
    expect(await isRecorded()).toBe(false);
    await setConsent('consent_text = ?', consent!.consent_text);
    expect(await isRecorded()).toBe(true);
    await queryRows(
      world,
      'insert into email_unsubscribes (zone_id, user_id, unsubscribed_at) values (?, ?, now()) returning id',
      [zone.id, member.id],
    );
    expect(await isRecorded()).toBe(false);
    expect(await countReads()).toBe(2);
  });

  it('is not recorded for owners and admins, and not where the zone switched it off', async () => {
    const admin = await registerUser(world);
    await joinPublicZone(zone, admin);
    await owner.client.patch(`/api/zones/${zone.id}/members/${admin.id}`).send({ role: 'admin' }).expect(200);
    for (const { client } of [owner, admin]) {
      expect(await read(client, { page: 1, ms: 5 * SECOND })).toEqual({ isRecorded: false });
      expect((await client.get(`/api/files/${id}/pages`).expect(200)).body.recordsReading).toBe(false);
    }
    const before = (await owner.client.get(`/api/zones/${zone.id}`).expect(200)).body;
    expect(before.recordsReading).toBe(true);
    const { body } = await owner.client.patch(`/api/zones/${zone.id}`).send({ recordsReading: false }).expect(200);
    expect(body).toMatchObject({ recordsReading: false, version: before.version + 1 });
    await owner.client.patch(`/api/zones/${zone.id}`).send({ recordsReading: null }).expect(400);
    expect(await read(member.client, { page: 1, ms: 5 * SECOND })).toEqual({ isRecorded: false });
    await member.client.get(`/api/files/${id}/pages/1`).expect(200);
    await member.client.get(`/api/files/${id}/download`).expect(200);
    expect(await readFigures()).toMatchObject({ isRecorded: false, readers: 0, ms: 0, completion: null, pages: [] });
    expect(await countReads()).toBe(0);
    expect((await owner.client.get(`/api/files/${id}/openings`).expect(200)).body).toEqual([]);
    const file = (await owner.client.get(`/api/files/${id}`).expect(200)).body;
    expect(file).toMatchObject({ viewCount: 0, downloadCount: 0 });
    await owner.client.patch(`/api/zones/${zone.id}`).send({ recordsReading: true }).expect(200);
    expect(await read(member.client, { page: 1, ms: 5 * SECOND })).toEqual({ isRecorded: true });
    expect(await readFigures()).toMatchObject({ readers: 1 });
  });

  it('follows the setting of the zone through which a file is read', async () => {
    const target = await createZone(owner);
    await joinPublicZone(target, member);
    const folder = (await owner.client.post(`/api/zones/${zone.id}/folders`).send({ name: 'Papers' }).expect(201)).body;
    const mirror = { sourceFolderId: folder.id, targetZoneId: target.id, targetFolderName: 'Mirror' };
    await owner.client.post(`/api/zones/${zone.id}/folder-mirrors`).send(mirror).expect(201);
    await owner.client.patch(`/api/files/${id}/move`).send({ targetFolderId: folder.id }).expect(200);
    await owner.client.delete(`/api/zones/${zone.id}/members/${member.id}`).expect(204);
    await owner.client.patch(`/api/zones/${target.id}`).send({ recordsReading: false }).expect(200);
    await read(member.client, { page: 1, ms: 5 * SECOND });
    expect(await countReads()).toBe(0);
    await owner.client.patch(`/api/zones/${target.id}`).send({ recordsReading: true }).expect(200);
    await read(member.client, { page: 1, ms: 5 * SECOND });
    expect(await countReads()).toBe(1);
  });

  it('is compared between the files of an owner', async () => {
    const other = await createZone(owner);
    const { id: unopened } = await uploadFile(owner.client, other.id, 'appendix.pdf', pdfWithPages(1));
    const { id: short } = await uploadFile(owner.client, zone.id, 'summary.pdf', pdfWithPages(1));
    await world.testApp.drain();
    await member.client.get(`/api/files/${id}/pages/1`).expect(200);
    await member.client.get(`/api/files/${short}/download`).expect(200);
    await read(member.client, { page: 1, ms: 5 * SECOND });
    world.testApp.clock.advance(DAY);
    await read(member.client, { page: 2, ms: 5 * SECOND });
    world.testApp.clock.advance(3 * SECOND);
    await send(member.client, [{ page: 1, ms: 3 * SECOND }], {}, short).expect(200);
    await rollUp();
    const getFigures = async (params: string, client = owner.client) =>
      (await client.get(`/api/analytics/files?${params}`).expect(200)).body;
    const longFile = { id, name: 'plan.pdf', zoneId: zone.id, zoneName: zone.name };
    const shortFile = { id: short, name: 'summary.pdf', zoneId: zone.id, zoneName: zone.name };
    const unopenedFile = { id: unopened, name: 'appendix.pdf', zoneId: other.id, zoneName: other.name };
    expect(await getFigures('range=7')).toEqual({
      mostRead: [
        { ...longFile, ms: 10 * SECOND, readers: 1, views: 1, downloads: 0 },
        { ...shortFile, ms: 3 * SECOND, readers: 1, views: 0, downloads: 1 },
      ],
      unopened: [{ ...unopenedFile, createdAt: expect.any(String) }],
      unopenedCount: 1,
    });
    const today = utcDay(world);
    expect(await getFigures(`zoneId=${zone.id}&from=${today}&to=${today}`)).toMatchObject({
      mostRead: [{ id, ms: 5 * SECOND }, { id: short }],
      unopened: [],
      unopenedCount: 0,
    });
    expect(await getFigures(`zoneId=${other.id}`)).toMatchObject({ mostRead: [], unopened: [{ id: unopened }] });
    const nothing = { mostRead: [], unopened: [], unopenedCount: 0 };
    expect(await getFigures('', member.client)).toEqual(nothing);
    expect((await member.client.get(`/api/analytics/files?zoneId=${zone.id}`).expect(404)).body.code).toBe(
      'ZONE_NOT_FOUND',
    );
    await owner.client.delete(`/api/files/${id}`).expect(204);
    expect((await getFigures('')).mostRead).toMatchObject([{ id: short }]);
  });

  it('is part of the funnel of the link by which members joined', async () => {
    const [quiet, opening] = [await registerUser(world), await registerUser(world)];
    for (const actor of [quiet, opening]) await joinPublicZone(zone, actor);
    for (const { client } of [member, opening]) await client.get(`/api/files/${id}/pages/1`).expect(200);
    await read(member.client, { page: 1, ms: 5 * SECOND });
    // Less than two seconds is no reading of a page.
    await read(opening.client, { page: 1, ms: SECOND });
    const getFunnel = async (params = '') =>
      (await owner.client.get(`/api/zones/${zone.id}/link-funnel${params}`)).body as object;
    expect(await getFunnel()).toEqual({ joined: 3, opened: 2, read: 1, downloaded: 0 });
    await opening.client.get(`/api/files/${id}/download`).expect(200);
    expect(await getFunnel()).toEqual({ joined: 3, opened: 2, read: 1, downloaded: 1 });
    expect(await getFunnel('?linkId=999999')).toMatchObject({ code: 'TEMPORARY_LINK_NOT_FOUND' });
    expect(await getFunnel('?linkId=x')).toMatchObject({ code: 'VALIDATION_FAILED' });
    const elsewhere = await createZone(owner, { type: 'private' });
    const { id: linkId } = (
      await owner.client
        .post(`/api/zones/${elsewhere.id}/temporary-links`)
        .send({ name: 'Spring', expiresInHours: 24 })
        .expect(201)
    ).body as { id: number };
    expect(await getFunnel(`?linkId=${linkId}`)).toMatchObject({ code: 'TEMPORARY_LINK_NOT_FOUND' });
    const { body } = await owner.client.get(`/api/zones/${elsewhere.id}/link-funnel?linkId=${linkId}`).expect(200);
    expect(body).toEqual({ joined: 0, opened: 0, read: 0, downloaded: 0 });
  });

  it('is rolled up again with late reads, and keeps its totals when reads expire', async () => {
    await runJob(createReadingPartitions);
    await read(member.client, { page: 1, ms: 5 * SECOND });
    await rollUp();
    await rollUp();
    const late = new Date(world.testApp.clock.now().getTime() - 5 * MINUTE).toISOString();
    await queryRows(
      world,
      `insert into page_reads (created_at, file_id, version, user_id, page, ms, is_first)
       values (?::timestamptz, ?, 1, ?, 2, 3000, true)`,
      [late, id, member.id],
    );
    await rollUp();
    const figures = await readFigures();
    expect(figures.pages).toMatchObject([
      { page: 1, readers: 1, ms: 5 * SECOND },
      { page: 2, readers: 1, ms: 3 * SECOND },
    ]);
    expect(figures.days).toMatchObject([{ readers: 1, ms: 8 * SECOND }]);
    // Sessions end before reads expire, so the tables are compared.
    const listTotals = async () => [
      ...(await queryRows(world, 'select * from file_page_day where file_id = ? order by page', [id])),
      ...(await queryRows(world, 'select * from file_reading_day where file_id = ?', [id])),
      ...(await queryRows(world, 'select * from file_readers where file_id = ?', [id])),
    ];
    const totals = await listTotals();
    expect(totals).toHaveLength(4);
    const expire = () =>
      world.testApp.app.get(RetentionService).applyPolicies(
        new AbortController().signal,
        retentionPolicies.filter(({ name }) => name === 'page-reads'),
      );
    await expire();
    expect(await countReads()).toBe(2);
    world.testApp.clock.advance(91 * DAY);
    // Reads that have not been rolled up stay.
    await expire();
    expect(await countReads()).toBe(2);
    await rollUp();
    await expire();
    expect(await countReads()).toBe(0);
    expect(await listTotals()).toEqual(totals);
  });

  it('is part of the export, and ends with the person and the file', async () => {
    await read(member.client, { page: 1, ms: 5 * SECOND });
    await rollUp();
    await reauthenticate(member);
    const { body } = await member.client.get('/api/user/export').expect(200);
    expect(body.readFiles).toMatchObject([{ fileId: id, version: 1, pagesRead: 1 }]);
    expect(body.readPages).toMatchObject([{ fileId: id, page: 1, ms: 5 * SECOND }]);
    await member.client.delete('/api/user').send({ password: member.password }).expect(204);
    await world.testApp.drain();
    expect(await countReads()).toBe(0);
    // The figures of the file stay.
    expect(await readFigures()).toMatchObject({ readers: 0, pages: [{ page: 1, readers: 1 }] });
    await owner.client.delete(`/api/zones/${zone.id}`).expect(204);
    await world.testApp.drain();
    expect(await queryRows(world, 'select 1 from file_page_day where file_id = ?', [id])).toEqual([]);
    expect(await queryRows(world, 'select 1 from file_reading_day where file_id = ?', [id])).toEqual([]);
  });
});
