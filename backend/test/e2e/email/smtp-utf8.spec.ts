import { BulkMailer } from '../../../src/platform/email/bulk/bulk-mailer.js';
import { SmtpUtf8Service } from '../../../src/platform/email/smtp-utf8.service.js';
import { JobRunner } from '../../../src/platform/jobs/running/job-runner.js';
import { registerUser, uniqueName } from '../../support/people/actors.js';
import { describeInProcess, type World } from '../../support/world.js';
import { reauthenticate } from '../auth/account-helpers.js';
import { joinByLink, createLink, createPrivateZone } from '../links/link-helpers.js';
import { SmtpSink, openWorldWithSink } from '../campaigns/campaign-helpers.js';

const serverLog =
  'Emails from this site can’t reach addresses with letters like “ü” before the @. Please use another address.';
const bulk = (to: string) => ({
  to,
  fromName: 'Ada',
  replyTo: null,
  subject: 'Hello',
  html: '<p>Hi</p>',
  text: 'Hi',
  messageId: '<1@example.com>',
  headers: {},
});

describeInProcess('Mail server without SMTPUTF8', () => {
  let world: World;
  let sink: SmtpSink;
  beforeAll(async () => {
    sink = await SmtpSink.listen(false);
    world = await openWorldWithSink(sink);
  });
  beforeEach(() => sink.envelopeSenders.splice(0));
  afterAll(async () => {
    await world.close();
    await sink.stop();
  });

  it('rejects non-ASCII local parts before MAIL FROM, attributed to the sender', async () => {
    const outcome = await world.testApp.app.get(BulkMailer).send(bulk('jörg@example.com'));
    expect(outcome).toMatchObject({ kind: 'rejected', code: 553, bounceCause: 'sender' });
    expect(sink.envelopeSenders).toEqual([]);
  });

  it('accepts addresses with only a non-ASCII domain', async () => {
    const outcome = await world.testApp.app.get(BulkMailer).send(bulk('jorg@münchen.example'));
    expect(outcome).toEqual({ kind: 'sent' });
    expect(sink.envelopeSenders).toHaveLength(1);
  });

  it('makes sign-up reject such an address without sending anything', async () => {
    const client = world.createClient();
    const { body } = await client.post('/api/send-verification').send({ email: 'jörg@example.com' }).expect(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: { email: [serverLog] } });
    await client
      .post('/api/send-verification')
      .send({ email: `${uniqueName('new')}@example.com` })
      .expect(200);
    await world.testApp.drain();
    expect(sink.envelopeSenders).toHaveLength(1);
  });

  it('makes an email change to such an address fail', async () => {
    const actor = await registerUser(world);
    await reauthenticate(actor);
    const { body } = await actor.client.post('/api/user/email').send({ email: 'jörg@example.com' }).expect(400);
    expect(body.errors).toEqual({ email: [serverLog] });
  });

  it('makes a join with such an address fail', async () => {
    const link = await createLink(await createPrivateZone(world));
    const { body } = await joinByLink(world.createClient(), link, 'jörg@example.com').expect(400);
    expect(body.errors).toEqual({ email: [serverLog] });
  });

  it('is queried once an hour', async () => {
    const utf8 = world.testApp.app.get(SmtpUtf8Service);
    world.testApp.clock.advance(3_600_001);
    const before = sink.connectionCount;
    for (let i = 0; i < 3; i++) expect(await utf8.isUnsupported('jörg@example.com')).toBe(true);
    expect(sink.connectionCount - before).toBe(1);
  });

  it('does not prevent sign-ups while it is unreachable', async () => {
    world.testApp.clock.advance(3_600_001);
    const { port } = sink;
    await sink.stop();
    await world.createClient().post('/api/send-verification').send({ email: 'jörg@example.com' }).expect(200);
    await world.testApp.app.get(JobRunner).drain({ tolerant: true });
    await sink.restart(port);
  });
});

describeInProcess('Mail server with SMTPUTF8', () => {
  it('accepts addresses with non-ASCII local parts', async () => {
    const sink = await SmtpSink.listen();
    const world = await openWorldWithSink(sink);
    await world.createClient().post('/api/send-verification').send({ email: 'jörg@example.com' }).expect(200);
    await world.testApp.drain();
    expect(sink.recipients).toEqual(['jörg@example.com']);
    await world.close();
    await sink.stop();
  });
});
