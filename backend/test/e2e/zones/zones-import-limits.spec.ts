import { request as httpRequest } from 'node:http';
import { UnsubscribeLinkService } from '../../../src/modules/zones/leaving/unsubscribe-link.service.js';
import { LeavingService } from '../../../src/modules/zones/leaving/leaving.service.js';
import { inTransaction } from '../../../src/platform/database/transaction.js';
import {
  createZone,
  joinPublicZone,
  registerUsers,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import {
  ADD_MODE,
  importMembers,
  toCsv,
  listMembers,
  importPath,
  encodeWindows1254,
  postImport,
  uniqueEmails,
  type ImportedRow,
} from './import-helpers.js';

let world: World;
let owner: Actor;
let zone: TestZone;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  owner = await registerUser(world);
  zone = await createZone(owner, { type: 'private' });
});
afterAll(() => world.close());

const send = (file: string | Buffer, fields: Record<string, string> = {}) =>
  postImport(owner.client, zone, file, fields);
const add = (file: string | Buffer, fields: Record<string, string> = {}) => importMembers(owner, zone, file, fields);
const members = () => listMembers(owner, zone);

describeInProcess('Import limits', () => {
  const rows = (sql: string, values: unknown[] = []) =>
    world.testApp.em().execute(sql, values) as Promise<Record<string, unknown>[]>;
  const setAllowedPeople = (allowed: number | null) =>
    rows(
      `insert into usage (owner_id, metric, period, allowed) values (?, 'people', '', ?)
       on conflict (owner_id, metric, period) do update set allowed = excluded.allowed`,
      [owner.id, allowed],
    );
  const used = async () => {
    const [row] = await rows(`select used from usage where owner_id = ? and metric = 'people'`, [owner.id]);
    return Number(row?.used ?? 0);
  };

  it('never restore users who left, unsubscribed, complained, are suppressed or deleted', async () => {
    const open = await createZoneOf(owner);
    const [left, clicked, complained, deletedUser, fine] = await registerUsers(world, 5);
    for (const actor of [left!, clicked!, complained!]) await joinPublicZone(open, actor);
    await left!.client.post(`/api/zones/${open.id}/leave`).expect(200);
    const links = world.testApp.app.get(UnsubscribeLinkService);
    const token = links.createToken({ userId: clicked!.id, zoneId: open.id });
    await world.createClient().post(`/api/unsubscribe/${token}`).expect(200);
    await inTransaction(world.testApp.em(), (em) =>
      world.testApp.app
        .get(LeavingService)
        .handleComplaint(em, { userId: complained!.id, zoneId: open.id, ownerId: owner.id }),
    );
    await deletedUser!.client.delete('/api/user').send({ password: deletedUser!.password }).expect(204);
    await world.testApp.drain();
    zone = open;
    const everybody = [left!, clicked!, complained!, deletedUser!, fine!].map(({ email }) => email);
    for (const mode of ['add', 'invite']) {
      for (const dryRun of ['true', 'false']) {
        const { body } = await send(toCsv(everybody), { mode, dryRun, consentConfirmed: 'true' }).expect(200);
        const found = (body.results as ImportedRow[]).map(({ status }) => status);
        expect(found.slice(0, 4)).toEqual(['LEFT', 'LEFT', 'LEFT', 'SUPPRESSED']);
      }
    }
    expect(await members()).toMatchObject([{ user: { email: fine!.email } }]);
    await joinPublicZone(open, left!);
    expect(await members()).toHaveLength(2);
  });

  it('accept rows in order until the plan is full, and people already counted need no quota', async () => {
    const known = await registerUser(world);
    const other = await createZoneOf(owner);
    await joinPublicZone(other, known);
    const emails = uniqueEmails(6);
    await setAllowedPeople(4);
    const preview = await add(toCsv([...emails, known.email]), { dryRun: 'true' });
    const expected = ['ADDED', 'ADDED', 'ADDED', 'PLAN_LIMIT', 'PLAN_LIMIT', 'PLAN_LIMIT', 'ADDED'];
    expect(preview.results.map(({ status }) => status)).toEqual(expected);
    expect(preview).toMatchObject({ counts: { ADDED: 4, PLAN_LIMIT: 3 }, planLimit: { used: 1, allowed: 4 } });
    const result = await add(toCsv([...emails, known.email]));
    expect(result.results.map(({ status }) => status)).toEqual(expected);
    expect(await used()).toBe(4);
    expect(await rows('select 1 from users where email = ?', [emails[5]])).toEqual([]);
  });

  it('hold across chunks and concurrent imports and joins', async () => {
    const other = await createZoneOf(owner);
    await setAllowedPeople(1200);
    const shared = uniqueEmails(300);
    const visitors = await registerUsers(world, 10);
    const importInto = (target: TestZone, emails: string[]) =>
      postImport(owner.client, target, toCsv(emails), ADD_MODE);
    const responses = await Promise.all([
      importInto(zone, [...shared, ...uniqueEmails(700)]),
      importInto(other, [...shared, ...uniqueEmails(700)]),
      ...visitors.map(({ client, email }) =>
        client.post(`/api/public-zones/${other.publicLink}/join`).send({ email, emailConsent: true }),
      ),
    ]);
    expect(responses.slice(0, 2).map(({ status }) => status)).toEqual([200, 200]);
    expect(await used()).toBe(1200);
    const [counted] = await rows('select count(*) as people from audience where owner_id = ?', [owner.id]);
    expect(Number(counted!.people)).toBe(1200);
    const [stats] = await rows('select sum(members) as n from zone_stats where zone_id in (?, ?)', [zone.id, other.id]);
    const [real] = await rows(`select count(*) as n from zone_members where zone_id in (?, ?) and role <> 'owner'`, [
      zone.id,
      other.id,
    ]);
    expect(Number(stats!.n)).toBe(Number(real!.n));
  });

  it('refresh the database statistics after many rows', async () => {
    await setAllowedPeople(null);
    await rows('analyze zone_members');
    const readRowEstimate = async () => {
      const [table] = await rows(`select reltuples::int as n from pg_class where relname = 'zone_members'`);
      return Number(table!.n);
    };
    const before = await readRowEstimate();
    expect(await add(toCsv(uniqueEmails(100)))).toMatchObject({ succeeded: 100 });
    expect(await readRowEstimate()).toBe(before);
    expect(await add(toCsv(uniqueEmails(1000)))).toMatchObject({ succeeded: 1000 });
    expect(await readRowEstimate()).toBeGreaterThanOrEqual(before + 1100);
  });

  it('read 300 rows in UTF-8 with BOM and in Turkish Windows encoding', async () => {
    await setAllowedPeople(null);
    const lines = uniqueEmails(300).map((email, index) => `${email};Şule ${index};Öz`);
    const text = `email;firstName;lastName\r\n${lines.join('\r\n')}`;
    expect(await add(`\ufeff${text}`)).toMatchObject({ total: 300, succeeded: 300 });
    const found = (await members()).map(({ user }) => `${user.email};${user.firstName};${user.lastName}`);
    expect(found.sort()).toEqual([...lines].sort());
    expect((await add(encodeWindows1254(text), { dryRun: 'true' })).counts).toEqual({ ALREADY_MEMBER: 300 });
    const other = await createZoneOf(owner);
    const fresh = uniqueEmails(300).map((email, index) => `${email};Şule ${index};Öz`);
    await importMembers(owner, other, encodeWindows1254(`email;firstName;lastName\r\n${fresh.join('\r\n')}`));
    const read = (await listMembers(owner, other)).map(
      ({ user }) => `${user.email};${user.firstName};${user.lastName}`,
    );
    expect(read.sort()).toEqual([...fresh].sort());
    expect(await used()).toBe(600);
  });

  it('read a multipart form that arrives slowly in chunks', async () => {
    const emails = uniqueEmails(3);
    const boundary = 'slow';
    const part = (name: string, value: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const chunks = [
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n`,
      'email\n',
      ...emails.map((email) => `${email}\n`),
      '\r\n',
      part('mode', 'add'),
      part('consentConfirmed', 'true'),
      `--${boundary}--\r\n`,
    ];
    const { body: token } = await owner.client
      .post('/api/user/tokens')
      .send({ name: 'slow', scope: 'write', expiresInDays: 1 })
      .expect(201);
    const answer = await new Promise<string>((resolve, reject) => {
      const headers = {
        Authorization: `Bearer ${token.token}`,
        'Content-Type': `multipart/form-data; boundary=${boundary}`,
      };
      const call = httpRequest(`${world.url}${importPath(zone)}`, { method: 'POST', headers }, (response) => {
        let text = '';
        response.on('data', (chunk) => (text += chunk)).on('end', () => resolve(text));
      });
      call.on('error', reject);
      void (async () => {
        for (const chunk of chunks) {
          call.write(chunk);
          await new Promise((next) => setTimeout(next, 20));
        }
        call.end();
      })();
    });
    expect(JSON.parse(answer)).toMatchObject({ total: 3, succeeded: 3 });
  });

  it('record the declared consent and its author, and do not verify the address', async () => {
    const email = `${uniqueName('q')}@example.com`;
    await add(toCsv([email]));
    expect(
      await rows(
        `select c.consent_method, c.ip_address is not null as has_ip, u.email_verified, u.password
         from email_consents c join users u on u.id = c.user_id where c.zone_id = ?`,
        [zone.id],
      ),
    ).toEqual([{ consent_method: 'import', has_ip: true, email_verified: false, password: null }]);
    expect(await world.listEmails(email)).toEqual([]);
    const [entry] = await rows(
      `select actor_id, params from audit_log where type = 'zone.members-imported'
      and params->>'zoneId' = ?`,
      [String(zone.id)],
    );
    expect(entry).toMatchObject({ params: { mode: 'add', succeeded: 1 } });
  });

  it('email invitations without adding members in invite mode', async () => {
    const [first, second] = uniqueEmails(2);
    const file = toCsv([first!, second!, 'broken']);
    const preview = await send(file, { dryRun: 'true' }).expect(200);
    expect(preview.body).toMatchObject({ mode: 'invite', counts: { INVITED: 2, INVALID_EMAIL: 1 } });
    expect(await world.listEmails(first!)).toEqual([]);
    const result = await send(file).expect(200);
    expect(result.body.results).toEqual(preview.body.results);
    expect(await members()).toEqual([]);
    expect((await world.waitForEmail(first!)).html).toContain(zone.name);
    const dryRunAgain = await send(file, { dryRun: 'true' }).expect(200);
    expect(dryRunAgain.body.counts).toEqual({ ALREADY_INVITED: 2, INVALID_EMAIL: 1 });
    expect(await used()).toBe(2);
  });

  async function createZoneOf(actor: Actor): Promise<TestZone> {
    await rows(`update usage set allowed = null where owner_id = ? and metric = 'zones'`, [actor.id]);
    return createZone(actor);
  }
});
