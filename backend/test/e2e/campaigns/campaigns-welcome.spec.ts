import { SuppressionRepository } from '../../../src/modules/zones/leaving/suppression.repository.js';
import { joinPublicZone, registerUser } from '../../support/people/actors.js';
import { describeInProcess, type World } from '../../support/world.js';
import {
  insertMembers,
  setEmailQuota,
  SmtpSink,
  createSender,
  openWorldWithSink,
  readUsedEmails,
  type Sender,
} from './campaign-helpers.js';

describeInProcess('Welcome email of a zone', () => {
  let world: World;
  let sink: SmtpSink;
  let sender: Sender;

  beforeAll(async () => {
    sink = await SmtpSink.listen();
    world = await openWorldWithSink(sink);
  });
  beforeEach(async () => {
    sender = await createSender(world);
  });
  afterAll(async () => {
    await world.close();
    await sink.stop();
  });

  const settings = () => `/api/zones/${sender.zone.id}/mail-settings`;
  async function addMember() {
    const member = await registerUser(world);
    sink.messages.length = 0;
    await joinPublicZone(sender.zone, member);
    await world.testApp.drain();
    return member;
  }

  it.each([
    [{ welcomeHtmlContent: '<p> </p>' }, 'welcomeHtmlContent'],
    [{ welcomeHtmlContent: '<p>{{first_name</p>' }, 'welcomeHtmlContent'],
    [{ welcomeSubject: 'Hi {{password}}' }, 'welcomeSubject'],
  ])('reports the field that is invalid: %j', async (body, field) => {
    const response = await sender.owner.client.put(settings()).send(body).expect(400);
    expect(Object.keys(response.body.errors)).toEqual([field]);
  });

  it('checks suppression only for the addresses that join, however many are suppressed', async () => {
    const suppressions = world.testApp.app.get(SuppressionRepository);
    await suppressions.addSuppression(world.testApp.em(), null, 'somebody.anywhere@example.org', 'complaint');
    await insertMembers(world, sender.zone, 300);
    const body = { welcomeEnabled: true, welcomeSubject: 'Hello', welcomeHtmlContent: '<p>Hi</p>' };
    await sender.owner.client.put(settings()).send(body).expect(200);
    const digestsOf = jest.spyOn(suppressions, 'digestsOf');
    const member = await addMember();
    const times = digestsOf.mock.calls.length;
    digestsOf.mockRestore();
    expect(sink.recipients).toEqual([member.email]);
    // Once to decide, once when the delivery is claimed, and once for the consent.
    expect(times).toBeLessThanOrEqual(4);
  });

  it('is sent once to new members and counts towards the quota', async () => {
    await addMember();
    expect(sink.messages).toHaveLength(0);
    const body = {
      welcomeEnabled: true,
      welcomeSubject: 'Hello {{first_name}}',
      welcomeHtmlContent: '<p>In {{zone_name}}</p>',
    };
    const { body: saved } = await sender.owner.client.put(settings()).send(body).expect(200);
    expect(saved).toMatchObject({ ...body, welcomeCampaignId: expect.any(Number), welcomeSkipped: 0 });
    for (let number = 1; number <= 2; number++) {
      const member = await addMember();
      expect(sink.recipients).toEqual([member.email]);
      expect(sink.messages[0]!.headers.get('subject')).toBe('Hello Ada');
      expect(sink.messages[0]!.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
      expect(await readUsedEmails(world, sender)).toBe(number);
    }
    const { body: campaign } = await sender.owner.client.get(`/api/campaigns/${saved.welcomeCampaignId}`).expect(200);
    expect(campaign).toMatchObject({
      kind: 'welcome',
      status: 'sent',
      recipientCount: 2,
      deliveredCount: 2,
      can: { edit: false, delete: false },
    });
  });

  it('is skipped without quota, and the owner sees it', async () => {
    await sender.owner.client.put(settings()).send({ welcomeEnabled: true }).expect(200);
    await setEmailQuota(world, sender, 0);
    await addMember();
    expect(sink.messages).toHaveLength(0);
    expect((await sender.owner.client.get(settings())).body).toMatchObject({ welcomeSkipped: 1 });
    await setEmailQuota(world, sender, 10);
    await addMember();
    expect(sink.messages).toHaveLength(1);
  });

  it("requires the member's consent", async () => {
    await sender.owner.client.put(settings()).send({ welcomeEnabled: true }).expect(200);
    await sender.owner.client.patch(`/api/zones/${sender.zone.id}`).send({ requiresEmailOptin: false }).expect(200);
    const member = await registerUser(world);
    sink.messages.length = 0;
    await member.client
      .post(`/api/public-zones/${sender.zone.publicLink}/join`)
      .send({ email: member.email, emailConsent: false })
      .expect(200);
    await world.testApp.drain();
    expect(sink.messages).toHaveLength(0);
    expect(await readUsedEmails(world, sender)).toBe(0);
  });
});
