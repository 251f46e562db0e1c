import { MINUTE } from '../../../src/platform/clock/clock.js';
import { JobRunner } from '../../../src/platform/jobs/running/job-runner.js';
import { MailServerHealthService } from '../../../src/platform/email/mail-server-health.service.js';
import { MailStateRepository } from '../../../src/platform/email/mail-state.repository.js';
import { uniqueName } from '../../support/people/actors.js';
import { describeInProcess, type World } from '../../support/world.js';
import { makeSuperAdmin } from '../admin/staff-helpers.js';
import {
  insertMembers,
  createDraft,
  SmtpSink,
  createSender,
  openWorldWithSink,
  readProgress,
  type Sender,
} from '../campaigns/campaign-helpers.js';

describeInProcess('Mail server that accepts no emails', () => {
  let world: World;
  let sink: SmtpSink;
  let sender: Sender;
  beforeAll(async () => {
    sink = await SmtpSink.listen();
    world = await openWorldWithSink(sink);
    sender = await createSender(world);
    await makeSuperAdmin(world, sender.owner);
  });
  afterAll(async () => {
    await world.close();
    await sink.stop();
  });

  const signUp = async () =>
    (
      await world
        .createClient()
        .post('/api/send-verification')
        .send({ email: `${uniqueName('new')}@example.com` })
        .expect(200)
    ).body;
  const readMailServer = async () => (await sender.owner.client.get('/api/admin/system').expect(200)).body.mailServer;
  const health = () => world.testApp.app.get(MailServerHealthService);
  const readState = () => world.testApp.app.get(MailStateRepository).getState();
  const serverError = { kind: 'server-error', code: 421, reason: '421 too busy' } as const;

  it('is indicated at sign-up and to admins until it recovers', async () => {
    await signUp();
    await world.testApp.drain();
    expect(await signUp()).toMatchObject({ mailsDelayed: false });
    expect(await readMailServer()).toMatchObject({ refusingSince: null, takenAt: expect.any(String) });
    const { port } = sink;
    await sink.stop();
    await world.testApp.app.get(JobRunner).drain({ tolerant: true });
    expect(await signUp()).toMatchObject({ mailsDelayed: true });
    const { refusingSince, reason } = await readMailServer();
    expect(refusingSince).not.toBeNull();
    expect(reason).toMatch(/ECONNREFUSED|connect/i);
    await sink.restart(port);
    world.testApp.clock.advance(10 * MINUTE);
    await world.testApp.drain();
    expect(await readMailServer()).toMatchObject({ refusingSince: null, reason });
    expect(await signUp()).toMatchObject({ mailsDelayed: false });
  });

  it('is indicated in the progress of a waiting campaign with its start', async () => {
    await health().recordOutcome({ kind: 'sent' });
    await insertMembers(world, sender.zone, 5);
    const id = await createDraft(sender);
    await sender.owner.client.post(`/api/campaigns/${id}/send`).expect(200);
    expect(await readProgress(sender.owner.client, id)).toMatchObject({ mailServerRefusingSince: null });
    await world.testApp.em().execute(`update campaigns set status = 'sending', recipient_count = 5 where id = ?`, [id]);
    await health().recordOutcome(serverError);
    const { refusingSince } = await readState();
    expect(await readProgress(sender.owner.client, id)).toMatchObject({
      mailServerRefusingSince: refusingSince!.toISOString(),
      pendingCount: 5,
    });
    await health().recordOutcome({ kind: 'sent' });
    expect(await readProgress(sender.owner.client, id)).toMatchObject({ mailServerRefusingSince: null });
  });

  it('keeps the start of the failure and is recorded at most once a minute', async () => {
    const readVersion = async () => {
      const [row] = await world.testApp
        .em()
        .execute<{ version: string }[]>('select xmin::text as version from mail_state');
      return row!.version;
    };
    await health().recordOutcome(serverError);
    const [{ refusingSince }, before] = [await readState(), await readVersion()];
    for (let count = 0; count < 20; count++) await health().recordOutcome(serverError);
    expect(await readVersion()).toBe(before);
    world.testApp.clock.advance(2 * MINUTE);
    await health().recordOutcome({ ...serverError, reason: 'still too busy' });
    expect(await readState()).toMatchObject({ refusingSince, reason: 'still too busy' });
    // An email rejected for its content shows that the server works.
    await health().recordOutcome({ kind: 'rejected', bounceCause: 'sender', code: 550, reason: 'no such mailbox' });
    expect(await readState()).toMatchObject({ refusingSince: null });
  });
});
