import { createHmac } from 'node:crypto';
import supertest from 'supertest';
import { createTrackingToken } from '../../../src/modules/campaigns/shared/tracking-token.js';
import { DAY, MINUTE } from '../../../src/platform/clock/clock.js';
import { describeInProcess, type World } from '../../support/world.js';
import {
  insertMembers,
  createDraft,
  SmtpSink,
  createSender,
  openWorldWithSink,
  type Sender,
} from './campaign-helpers.js';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130 Safari/537.36';
const SECRET = 'a secret of mail events';
const LINK = 'https://x.test/a';

describeInProcess('Campaign email events', () => {
  let world: World;
  let sink: SmtpSink;
  let sender: Sender;
  let email: string;
  let campaignId: number;
  let deliveryId: number;

  beforeAll(async () => {
    sink = await SmtpSink.listen();
    world = await openWorldWithSink(sink, { MAIL_EVENTS_SECRET: SECRET });
  });
  beforeEach(async () => {
    sender = await createSender(world);
    [email] = (await insertMembers(world, sender.zone, 1)) as [string];
    campaignId = await createDraft(sender, { htmlContent: `<p><a href="${LINK}">A</a></p>` });
    await sender.owner.client.post(`/api/campaigns/${campaignId}/send`).expect(200);
    await world.testApp.drain();
    deliveryId = Number((await rows<{ id: string }>('select id from deliveries where campaign_id = ?'))[0]!.id);
  });
  afterAll(async () => {
    await world.close();
    await sink.stop();
  });

  const rows = <T extends object>(sql: string) => world.testApp.em().execute<T[]>(sql, [campaignId]);
  const listEvents = () => rows('select type from campaign_events where campaign_id = ? order by id');
  /** The forged URL of an attacker with the key. It is always the same and doesn't reveal its age. */
  const visit = (link: number | null) => {
    const token = createTrackingToken(world.testApp.config.keys, { deliveryId, link });
    return supertest(world.url)
      .get(`/api/t/${link === null ? 'o' : 'c'}/${token}`)
      .set('User-Agent', BROWSER);
  };
  const bounce = async () => {
    const event = {
      type: 'bounce',
      messageId: sink.messagesTo(email)[0]!.messageId,
      email,
      permanent: true,
      reason: 'gone',
    };
    const body = JSON.stringify([event]);
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    const headers = { 'Content-Type': 'application/json', 'X-Mail-Events-Signature': signature };
    const response = await supertest(world.url).post('/api/webhooks/mail-events').set(headers).send(body).expect(200);
    return (response.body as { accepted: number }).accepted;
  };

  it('are recorded until 400 days after sending', async () => {
    world.testApp.clock.advance(400 * DAY - MINUTE);
    await visit(null).expect(200);
    await visit(0).expect(302);
    expect(await listEvents()).toEqual([{ type: 'open' }, { type: 'click' }]);
    expect(await bounce()).toBe(1);
  });

  it('are ignored after 400 days, even with a valid token, while links still redirect', async () => {
    world.testApp.clock.advance(400 * DAY + MINUTE);
    await visit(null).expect(200);
    expect((await visit(0).expect(302)).headers.location).toBe(LINK);
    expect(await listEvents()).toEqual([]);
    const counts = 'select open_count, click_count from campaigns where id = ?';
    expect(await rows(counts)).toEqual([{ open_count: 0, click_count: 0 }]);
    expect(await bounce()).toBe(0);
  });
});
