import { InstallationSettingsService } from '../../../src/platform/installation/installation-settings.service.js';
import { waitUntil } from '../../support/wait-until.js';
import { describeInProcess, World } from '../../support/world.js';
import { makeSuperAdmin } from '../admin/staff-helpers.js';
import {
  insertMembers,
  createDraft,
  SmtpSink,
  createSender,
  readProgress,
  readUsedEmails,
  campaignContent,
  type Sender,
} from '../campaigns/campaign-helpers.js';

const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';

describeInProcess('Installation without a mail server', () => {
  let world: World;
  let sink: SmtpSink;
  let sender: Sender;
  beforeAll(async () => {
    world = await World.open();
    sink = await SmtpSink.listen();
  });
  beforeEach(async () => {
    await world.testApp.em().execute('delete from installation_settings');
    await world.testApp.app.get(InstallationSettingsService).refresh();
    // Outcomes recorded less than a minute ago aren't written again.
    world.testApp.clock.advance(61_000);
    await world.testApp.em().execute('update mail_state set taken_at = null, refusing_since = null, refused_at = null');
    sender = await createSender(world);
    sink.messages.length = 0;
  });
  afterAll(async () => {
    await world.close();
    await sink.stop();
  });

  const client = () => sender.owner.client;
  const readEmailDelivery = async () => (await client().get('/api/user').expect(200)).body.emailDelivery as string;
  const setServer = async () => {
    await makeSuperAdmin(world, sender.owner);
    const server = { host: '127.0.0.1', port: sink.port, security: 'starttls', user: null };
    await client().put('/api/admin/installation/mail').send(server).expect(200);
    await waitUntil('the server is in use', () => world.testApp.config.smtpUrl !== null);
  };
  /** Sends a campaign to two members, with a link to click. */
  const sendCampaign = async () => {
    await insertMembers(world, sender.zone, 2);
    const htmlContent = '<p><a href="https://example.org/lesson">Lesson</a></p>';
    const id = await createDraft(sender, { htmlContent });
    await client().post(`/api/campaigns/${id}/send`).send({}).expect(200);
    await world.testApp.drain();
    return id;
  };

  it('keeps campaigns, counting them neither as delivered nor against the quota', async () => {
    const id = await sendCampaign();
    const counts = { keptCount: 2, deliveredCount: 0, failedCount: 0, pendingCount: 0 };
    expect(await readProgress(client(), id)).toMatchObject({ status: 'failed', ...counts });
    const { body: campaign } = await client().get(`/api/campaigns/${id}`).expect(200);
    expect(campaign).toMatchObject({ failure: 'NO_MAIL_SERVER', can: { retryFailed: true, send: false } });
    const { body: report } = await client().get(`/api/campaigns/${id}/report`).expect(200);
    expect(report).toMatchObject({ ...counts, overTime: [] });
    const { body: rows } = await client().get(`/api/campaigns/${id}/deliveries?state=kept`).expect(200);
    expect(rows).toMatchObject([
      { state: 'kept', sentAt: null },
      { state: 'kept', sentAt: null },
    ]);
    expect(await readUsedEmails(world, sender)).toBe(0);
    expect(await readEmailDelivery()).toBe('none');
    expect((await world.createClient().get('/api/site').expect(200)).body.sendsEmail).toBe(false);
  });

  it('counts no clicks in emails on hold', async () => {
    const id = await sendCampaign();
    const [first] = (await client().get(`/api/campaigns/${id}/deliveries`)).body as { email: string }[];
    const { html } = await world.waitForEmail(first!.email);
    const address = /href="([^"]+\/api\/t\/c\/[^"]+)"/.exec(html)![1]!;
    world.testApp.clock.advance(60_000);
    await world.createClient().get(new URL(address).pathname).set('User-Agent', PERSON).expect(302);
    expect(await readProgress(client(), id)).toMatchObject({ openCount: 0, clickCount: 0 });
  });

  it('sends emails on hold later only on request of the owner', async () => {
    const id = await sendCampaign();
    await setServer();
    expect(await readEmailDelivery()).toBe('untested');
    world.testApp.clock.advance(3_600_000);
    await world.testApp.drain();
    expect(sink.messages).toEqual([]);
    await client().post(`/api/campaigns/${id}/retry-failed`).expect(200);
    await world.testApp.drain();
    expect(sink.messages).toHaveLength(2);
    expect(await readProgress(client(), id)).toMatchObject({ status: 'sent', keptCount: 0, deliveredCount: 2 });
    expect(await readUsedEmails(world, sender)).toBe(2);
    expect(await readEmailDelivery()).toBe('working');
  });

  it('keeps invitations, which can be resent later', async () => {
    const path = `/api/zones/${sender.zone.id}/invitations`;
    await client()
      .post(`/api/zones/${sender.zone.id}/invite`)
      .send({ emails: ['ada@example.org'] })
      .expect(200);
    await world.testApp.drain();
    const [storedEmail] = (await client().get(path).expect(200)).body as { id: number }[];
    expect(storedEmail).toMatchObject({ email: 'ada@example.org', sentAt: null, keptAt: expect.any(String) });
    await setServer();
    await client().post(`${path}/${storedEmail!.id}/resend`).expect(200);
    await world.testApp.drain();
    const [sent] = (await client().get(path).expect(200)).body as object[];
    expect(sent).toMatchObject({ sentAt: expect.any(String), keptAt: null });
    expect(sink.recipients).toEqual(['ada@example.org']);
  });

  it('reports a mail server as working after a successful test of the saved settings', async () => {
    await makeSuperAdmin(world, sender.owner);
    const server = { host: '127.0.0.1', port: sink.port, security: 'starttls', user: null };
    const { body } = await client()
      .post('/api/admin/installation/test-mail')
      .send({ to: sender.owner.email, server })
      .expect(200);
    expect(body.ok).toBe(true);
    expect(await readEmailDelivery()).toBe('none');
    await setServer();
    expect(await readEmailDelivery()).toBe('working');
  });

  it('reports a newly set server as untested', async () => {
    await setServer();
    await world.testApp.em().execute('update mail_state set taken_at = now()');
    expect(await readEmailDelivery()).toBe('working');
    const server = { host: 'localhost', port: sink.port, security: 'starttls', user: null };
    const set = (settings: object) => client().put('/api/admin/installation/mail').send(settings).expect(200);
    await set(server);
    expect(await readEmailDelivery()).toBe('untested');
    await world.testApp.em().execute('update mail_state set taken_at = now()');
    await set(server);
    expect(await readEmailDelivery()).toBe('working');
  });

  it('prefers rejections over emails on hold as the campaign failure', async () => {
    const id = await sendCampaign();
    await world.testApp.em()
      .execute(`update deliveries set state = 'failed', failed_at = now(), reason = 'Refused' where id = (
        select min(id) from deliveries where campaign_id = ${id})`);
    await world.testApp.em().execute(`update campaigns set kept_count = 1, failed_count = 1 where id = ${id}`);
    await setServer();
    await client().post(`/api/campaigns/${id}/retry-failed`).expect(200);
    expect(await readProgress(client(), id)).toMatchObject({ pendingCount: 2, keptCount: 0, failedCount: 0 });
    await world.testApp.em().execute('delete from installation_settings');
    await world.testApp.app.get(InstallationSettingsService).refresh();
    await world.testApp.em()
      .execute(`update deliveries set state = 'failed', failed_at = now(), reason = 'Refused' where id = (
        select min(id) from deliveries where campaign_id = ${id})`);
    await world.testApp.em().execute(`update campaigns set failed_count = 1 where id = ${id}`);
    await world.testApp.drain();
    expect(await readProgress(client(), id)).toMatchObject({ status: 'failed', keptCount: 1, failedCount: 1 });
    expect((await client().get(`/api/campaigns/${id}`).expect(200)).body.failure).toBe('ALL_REFUSED');
  });

  it('clears the state of a server that is removed', async () => {
    await world.testApp.em().execute('update mail_state set taken_at = now()');
    await client()
      .post(`/api/campaigns/${await createDraft(sender, campaignContent())}/test`)
      .expect(200);
    world.testApp.clock.advance(61_000);
    await world.testApp.drain();
    const [row] = await world.testApp.em().execute<object[]>('select taken_at from mail_state');
    expect(row).toEqual({ taken_at: null });
  });
});
