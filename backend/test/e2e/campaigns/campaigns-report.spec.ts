import { createHmac } from 'node:crypto';
import supertest from 'supertest';
import { DAY, MINUTE } from '../../../src/platform/clock/clock.js';
import { describeInProcess, type World } from '../../support/world.js';
import {
  insertMembers,
  createDraft,
  SmtpSink,
  createSender,
  openWorldWithSink,
  parseParts,
  readUsedEmails,
  type Sender,
} from './campaign-helpers.js';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130 Safari/537.36';
const SECRET = 'a secret of mail events';

describeInProcess('Campaign report', () => {
  let world: World;
  let sink: SmtpSink;
  let sender: Sender;

  beforeAll(async () => {
    sink = await SmtpSink.listen();
    world = await openWorldWithSink(sink, { MAIL_EVENTS_SECRET: SECRET });
  });
  beforeEach(async () => {
    sender = await createSender(world);
    sink.messages.length = 0;
    sink.decideReply = () => 'take';
  });
  afterAll(async () => {
    await world.close();
    await sink.stop();
  });

  it('is empty for drafts and welcome emails before the first email', async () => {
    const id = await createDraft(sender);
    expect(await readReport(id)).toMatchObject({ links: [], failures: [], overTime: [], machineEvents: 0 });
    const welcome = { welcomeEnabled: true, welcomeSubject: 'Welcome', welcomeHtmlContent: '<p>Welcome</p>' };
    await sender.owner.client.put(`/api/zones/${sender.zone.id}/mail-settings`).send(welcome).expect(200);
    const sql = 'select id, jsonb_typeof(links) as type from campaigns where zone_id = ? order by id';
    const rows: { id: number; type: string }[] = await world.testApp.em().execute(sql, [sender.zone.id]);
    expect(rows.map(({ type }) => type)).toEqual(rows.map(() => 'array'));
    for (const row of rows) expect((await readReport(Number(row.id))).links).toEqual([]);
  });

  const two =
    '<p><a href="https://x.test/a?b=1&amp;c=2">A</a> <a href="https://x.test/d">D</a> <a href="mailto:m@x.test">M</a></p>';

  async function send(more: object = {}): Promise<number> {
    const id = await createDraft(sender, { htmlContent: two, ...more });
    await sender.owner.client.post(`/api/campaigns/${id}/send`).expect(200);
    await world.testApp.drain();
    return id;
  }
  const pathsOf = (email: string) => {
    const { html } = parseParts(sink.messagesTo(email)[0]!.raw);
    const found = [...html.matchAll(/https?:\/\/[^"]+?(\/api\/t\/[oc]\/[\w.-]+)/g)].map(([, path]) => path!);
    return { links: found.filter((path) => path.includes('/c/')), pixel: found.find((path) => path.includes('/o/')) };
  };
  const visit = (path: string, agent = BROWSER) => supertest(world.url).get(path).set('User-Agent', agent);
  const readReport = async (id: number) =>
    (await sender.owner.client.get(`/api/campaigns/${id}/report`).expect(200)).body;
  const notify = (events: object[], key = SECRET) => {
    const body = JSON.stringify(events);
    const signature = createHmac('sha256', key).update(body).digest('hex');
    return supertest(world.url)
      .post('/api/webhooks/mail-events')
      .set({ 'Content-Type': 'application/json', 'X-Mail-Events-Signature': signature })
      .send(body);
  };

  it('counts opens and clicks once per recipient and redirects only to links of the email', async () => {
    const [first, second] = (await insertMembers(world, sender.zone, 2)) as [string, string];
    const id = await send();
    world.testApp.clock.advance(MINUTE);
    const { links, pixel } = pathsOf(first);
    for (let times = 0; times < 3; times++) {
      const { headers } = await visit(pixel!).expect(200);
      expect(headers['content-type']).toBe('image/gif');
      expect((await visit(links[0]!).expect(302)).headers.location).toBe('https://x.test/a?b=1&c=2');
    }
    await visit(pathsOf(second).pixel!).expect(200);
    expect(await readReport(id)).toMatchObject({
      openCount: 2,
      clickCount: 1,
      deliveredCount: 2,
      machineEvents: 0,
      failures: [],
      links: [
        { url: 'https://x.test/a?b=1&c=2', recipients: 1, clicks: 3 },
        { url: 'https://x.test/d', recipients: 0, clicks: 0 },
      ],
    });
    const [hour] = (await readReport(id)).overTime;
    expect(hour.delivered).toBe(2);
    const forged = [
      links[0]!.replace('.0.', '.1.'),
      links[0]!.slice(0, -1),
      '/api/t/c/x',
      '/api/t/c/https%3A%2F%2Fevil.test',
    ];
    for (const path of forged) expect((await visit(path)).status).toBe(404);
  });

  it('ignores opens and clicks by machines but counts people', async () => {
    const [email] = (await insertMembers(world, sender.zone, 1)) as [string];
    const id = await send();
    const { links, pixel } = pathsOf(email);
    await visit(links[0]!);
    world.testApp.clock.advance(MINUTE);
    await visit(pixel!, 'Barracuda Link Scanner/1.0');
    await visit(pixel!, '');
    await supertest(world.url).head(links[1]!).set('User-Agent', BROWSER).expect(302);
    const nothing = { recipients: 0, clicks: 0 };
    expect(await readReport(id)).toMatchObject({
      openCount: 0,
      clickCount: 0,
      machineEvents: 4,
      links: [nothing, nothing],
    });
    await visit(pixel!, 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)');
    expect(await readReport(id)).toMatchObject({ openCount: 1, clickCount: 0 });
    world.testApp.clock.advance(MINUTE);
    await visit(links[1]!);
    expect(await readReport(id)).toMatchObject({
      openCount: 1,
      clickCount: 1,
      links: [nothing, { recipients: 1, clicks: 1 }],
    });
  });

  it('counts 50 concurrent opens once', async () => {
    const [email] = (await insertMembers(world, sender.zone, 1)) as [string];
    const id = await send();
    const { pixel } = pathsOf(email);
    await Promise.all(Array.from({ length: 50 }, () => visit(pixel!).expect(200)));
    expect(await readReport(id)).toMatchObject({ openCount: 1 });
  });

  it('counts nothing when tracking is disabled', async () => {
    const [email] = (await insertMembers(world, sender.zone, 1)) as [string];
    await send({ trackingEnabled: false });
    expect(pathsOf(email)).toEqual({ links: [], pixel: undefined });
    expect(parseParts(sink.messagesTo(email)[0]!.raw).html).toContain('href="https://x.test/a?b=1&#38;c=2"');
  });

  it('counts opens and clicks for 400 days after sending, and links redirect afterwards', async () => {
    const [email] = (await insertMembers(world, sender.zone, 1)) as [string];
    const id = await send();
    const { links, pixel } = pathsOf(email);
    const sql = 'update deliveries set sent_at = sent_at - make_interval(days => ?) where campaign_id = ?';
    const moveSent = (days: number) => world.testApp.em().execute(sql, [days, id]);
    await moveSent(401);
    await visit(pixel!).expect(200);
    await visit(links[0]!).expect(302);
    expect(await readReport(id)).toMatchObject({ openCount: 0, clickCount: 0, machineEvents: 0 });
    await moveSent(-2);
    await visit(pixel!).expect(200);
    await visit(links[0]!).expect(302);
    expect(await readReport(id)).toMatchObject({ openCount: 1, clickCount: 1 });
  });

  it('keeps links and unsubscribing working when the zone is deleted', async () => {
    const [email] = (await insertMembers(world, sender.zone, 1)) as [string];
    const id = await send();
    const { links, pixel } = pathsOf(email);
    // A click in the second after sending counts as automated.
    const sql = `update deliveries set sent_at = sent_at - interval '1 day' where campaign_id = ?`;
    await world.testApp.em().execute(sql, [id]);
    const [, unsubscribe] = /\/unsubscribe\/([\w-]+)/.exec(parseParts(sink.messagesTo(email)[0]!.raw).html)!;
    const before = [(await visit(links[0]!)).headers.location, (await visit(pixel!)).headers['content-type']];
    expect(before).toEqual(['https://x.test/a?b=1&c=2', 'image/gif']);
    await sender.owner.client.delete(`/api/zones/${sender.zone.id}`).expect(204);
    const readResponses = async () => [
      (await supertest(world.url).get(`/api/unsubscribe/info/${unsubscribe}`).expect(200)).body,
      (await supertest(world.url).post(`/api/unsubscribe/${unsubscribe}`).expect(200)).body,
    ];
    const deleted = await readResponses();
    await world.testApp.drain();
    expect(await world.testApp.em().execute('select 1 from zones where id = ?', [sender.zone.id])).toEqual([]);
    expect(await readResponses()).toEqual(deleted);
    expect([(await visit(links[0]!)).headers.location, (await visit(pixel!)).headers['content-type']]).toEqual(before);
    expect(await readReport(id)).toMatchObject({ openCount: 1, clickCount: 1 });
  });

  it('deletes IP addresses and user agents after 90 days', async () => {
    const [email] = (await insertMembers(world, sender.zone, 1)) as [string];
    const id = await send();
    await visit(pathsOf(email).pixel!);
    const { CronScheduler } = await import('../../../src/platform/jobs/cron/cron-scheduler.js');
    const { openMonthlyQuotas } = await import('../../../src/modules/campaigns/campaigns.jobs.js');
    const { applyRetention } = await import('../../../src/modules/retention/retention.jobs.js');
    world.testApp.clock.advance(91 * DAY);
    await world.testApp.app.get(CronScheduler).enqueueCronRun(openMonthlyQuotas as never, world.testApp.clock.now());
    await world.testApp.app.get(CronScheduler).enqueueCronRun(applyRetention as never, world.testApp.clock.now());
    await world.testApp.drain();
    const [row] = await world.testApp
      .em()
      .execute('select ip_address, user_agent from campaign_events where campaign_id = ?', [id]);
    expect(row).toEqual({ ip_address: null, user_agent: null });
    const month = world.testApp.clock.now().toISOString().slice(0, 7);
    const opened = await world.testApp
      .em()
      .execute(
        `select used::int as used, allowed::int as allowed from usage where owner_id = ? and metric = 'mails' and period = ?`,
        [sender.owner.id, month],
      );
    expect(opened).toEqual([{ used: 0, allowed: 100 }]);
  });

  it('lists failures with reasons, refunds them and retries them separately', async () => {
    const emails = await insertMembers(world, sender.zone, 6);
    sink.decideReply = (to) => (to === emails[0] || to === emails[3] ? { code: 550, when: 'recipient' } : 'take');
    const id = await send();
    expect(await readReport(id)).toMatchObject({ status: 'sent', deliveredCount: 4, failedCount: 2 });
    const { failures } = await readReport(id);
    expect(failures).toEqual([{ reason: '550 [address] is refused', smtpCode: 550, fault: 'sender', count: 2 }]);
    const failed = await sender.owner.client.get(`/api/campaigns/${id}/deliveries?state=failed&limit=1`).expect(200);
    expect(failed.body).toMatchObject([{ email: emails[0], state: 'failed', smtpCode: 550 }]);
    expect(failed.headers['x-total-count']).toBe('2');
    expect(await readUsedEmails(world, sender)).toBe(4);
    sink.decideReply = () => 'take';
    const { body } = await sender.owner.client.post(`/api/campaigns/${id}/retry-failed`).expect(200);
    expect(body).toMatchObject({ status: 'sending', failedCount: 0, pendingCount: 2 });
    expect(await readUsedEmails(world, sender)).toBe(6);
    await world.testApp.drain();
    expect(sink.recipients.sort()).toEqual(emails.sort());
    expect(await readReport(id)).toMatchObject({ status: 'sent', deliveredCount: 6, failedCount: 0, failures: [] });
    expect((await sender.owner.client.post(`/api/campaigns/${id}/retry-failed`).expect(409)).body.code).toBe(
      'NOTHING_FAILED',
    );
  });

  it('exports a CSV without formulas', async () => {
    const [email] = (await insertMembers(world, sender.zone, 1)) as [string];
    await world.testApp.em().execute(`update users set first_name = '=1+1' where email = ?`, [email]);
    const id = await send();
    const { text, headers } = await sender.owner.client.get(`/api/campaigns/${id}/report.csv`).expect(200);
    expect(headers['content-disposition']).toBe(`attachment; filename="campaign-${id}.csv"`);
    const lines = text.replace('\ufeff', '').trim().split('\r\n');
    expect(lines[0]).toBe('email,firstName,lastName,state,sentAt,openedAt,clickedAt,smtpCode,reason');
    expect(lines[1]).toContain(`${email},'=1+1,Last,delivered,`);
  });

  it('shows an address suppressed after bounces in three campaigns, which the owner can lift', async () => {
    const emails = await insertMembers(world, sender.zone, 2);
    const text = '5.1.1 User unknown';
    sink.decideReply = (to) => (to === emails[0] ? { code: 550, when: 'recipient', text } : 'take');
    for (let campaign = 0; campaign < 3; campaign++) await send();
    const path = `/api/zones/${sender.zone.id}`;
    expect((await sender.owner.client.get(`${path}/send-preview`)).body).toMatchObject({
      recipientCount: 1,
      unreachable: 1,
    });
    const { body } = await sender.owner.client.get(`${path}/suppressed-members`).expect(200);
    expect(body).toMatchObject([{ email: emails[0], reason: 'failed', canLift: true }]);
    await sender.owner.client.delete(`${path}/suppressed-members/${body[0].userId}`).expect(204);
    expect((await sender.owner.client.get(`${path}/send-preview`)).body.recipientCount).toBe(2);
  });

  it('counts a late bounce once, and a complaint removes the member permanently', async () => {
    const emails = await insertMembers(world, sender.zone, 3);
    const id = await send();
    const messageId = (email: string) => sink.messagesTo(email)[0]!.messageId;
    const bounce = {
      type: 'bounce',
      messageId: messageId(emails[0]!),
      email: emails[0],
      permanent: true,
      reason: 'unknown user',
    };
    for (let times = 0; times < 2; times++) expect((await notify([bounce]).expect(200)).body).toEqual({ accepted: 1 });
    expect(await readReport(id)).toMatchObject({
      deliveredCount: 2,
      failedCount: 1,
      failures: [{ reason: 'Bounced: unknown user', fault: 'reader' }],
    });
    expect(await readUsedEmails(world, sender)).toBe(2);
    const complaint = {
      type: 'complaint',
      messageId: messageId(emails[1]!),
      email: emails[1]!.toUpperCase(),
      occurredAt: 'x',
    };
    await notify([
      complaint,
      { ...bounce, permanent: false, messageId: messageId(emails[2]!), email: emails[2] },
    ]).expect(200);
    const { body: zone } = await sender.owner.client.get(`/api/zones/${sender.zone.id}`);
    expect(zone.memberCount).toBe(2);
    expect(await readReport(id)).toMatchObject({ deliveredCount: 2, failedCount: 1 });
    const foreign = { ...complaint, email: emails[2] };
    expect((await notify([foreign, { ...complaint, messageId: '<other@x>' }]).expect(200)).body).toEqual({
      accepted: 0,
    });
  });

  it('ignores mail events that are unsigned or invalid', async () => {
    expect((await notify([], 'another secret, not ours').expect(401)).body.code).toBe('SIGNATURE_INVALID');
    expect((await notify([{ type: 'party' }]).expect(400)).body.code).toBe('VALIDATION_FAILED');
    await supertest(world.url)
      .post('/api/webhooks/mail-events')
      .set('Content-Type', 'application/json')
      .send('[]')
      .expect(401);
  });
});

describeInProcess('Mail events without a configured secret', () => {
  it('are rejected', async () => {
    const sink = await SmtpSink.listen();
    const world = await openWorldWithSink(sink);
    const { body } = await supertest(world.url)
      .post('/api/webhooks/mail-events')
      .set('Content-Type', 'application/json')
      .send('[]')
      .expect(503);
    expect(body.code).toBe('MAIL_EVENTS_NOT_CONFIGURED');
    await world.close();
    await sink.stop();
  });
});
