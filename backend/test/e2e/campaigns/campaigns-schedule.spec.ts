import { DAY, MINUTE } from '../../../src/platform/clock/clock.js';
import { CronScheduler } from '../../../src/platform/jobs/cron/cron-scheduler.js';
import type { Actor } from '../../support/people/actors.js';
import { describeInProcess, type World } from '../../support/world.js';
import {
  insertMembers,
  setEmailQuota,
  createDraft,
  setUpSenderPerTest,
  SmtpSink,
  readProgress,
  readUsedEmails,
  type Sender,
} from './campaign-helpers.js';

describeInProcess('Scheduled campaigns', () => {
  let world: World;
  let sink: SmtpSink;
  let sender: Sender;

  setUpSenderPerTest((given) => ({ world, sink, sender } = given));

  const send = (id: number, actor: Actor = sender.owner) => actor.client.post(`/api/campaigns/${id}/send`);

  it('start at their time and are charged then', async () => {
    const { owner, zone } = sender;
    await insertMembers(world, zone, 3);
    const id = await createDraft(sender);
    const at = new Date(world.testApp.clock.now().getTime() + 2 * DAY);
    const wall = at.toISOString().slice(0, 16);
    const { body } = await owner.client
      .post(`/api/campaigns/${id}/schedule`)
      .send({ scheduledAt: wall, timeZone: 'Europe/Istanbul' })
      .expect(200);
    const expectedInstant = new Date(`${wall}:00+03:00`).toISOString();
    expect(body).toMatchObject({ status: 'scheduled', scheduledAt: expectedInstant, timeZone: 'Europe/Istanbul' });
    await world.testApp.drain();
    expect(await readUsedEmails(world, sender)).toBe(0);
    world.testApp.clock.advance(2 * DAY);
    await world.testApp.drain();
    expect(await readProgress(owner.client, id)).toMatchObject({ status: 'sent', deliveredCount: 3 });
    expect(await readUsedEmails(world, sender)).toBe(3);
  });

  it('send nothing when the zone is deleted before, and the job ends', async () => {
    const { owner, zone } = sender;
    await insertMembers(world, zone, 2);
    const id = await createDraft(sender);
    const scheduledAt = new Date(world.testApp.clock.now().getTime() + DAY).toISOString();
    await owner.client.post(`/api/campaigns/${id}/schedule`).send({ scheduledAt, timeZone: 'UTC' }).expect(200);
    const em = world.testApp.em();
    // The state until a job has deleted the zone's content, including the campaign.
    await em.execute('update zones set deleted_at = now() where id = ?', [zone.id]);
    world.testApp.clock.advance(DAY);
    await world.testApp.drain();
    expect(sink.messages).toHaveLength(0);
    expect(await readUsedEmails(world, sender)).toBe(0);
    expect(await em.execute(`select name, last_error from jobs where last_error is not null`)).toEqual([]);
  });

  it('do not start at the old time when unscheduled or rescheduled', async () => {
    const { owner, zone } = sender;
    await insertMembers(world, zone, 3);
    const [first, second] = [await createDraft(sender), await createDraft(sender)];
    const daysFromNow = (days: number) => new Date(world.testApp.clock.now().getTime() + days * DAY).toISOString();
    for (const id of [first, second]) {
      await owner.client
        .post(`/api/campaigns/${id}/schedule`)
        .send({ scheduledAt: daysFromNow(1), timeZone: 'UTC' })
        .expect(200);
      const { body } = await owner.client.post(`/api/campaigns/${id}/unschedule`).expect(200);
      expect(body).toMatchObject({ status: 'draft', scheduledAt: null, can: { edit: true } });
    }
    await owner.client
      .post(`/api/campaigns/${second}/schedule`)
      .send({ scheduledAt: daysFromNow(3), timeZone: 'UTC' })
      .expect(200);
    world.testApp.clock.advance(1.5 * DAY);
    await world.testApp.drain();
    expect(sink.messages).toHaveLength(0);
    world.testApp.clock.advance(2 * DAY);
    await world.testApp.drain();
    expect(sink.messages).toHaveLength(3);
  });

  it('are rejected more than two years ahead, with a message', async () => {
    const { owner } = sender;
    const id = await createDraft(sender);
    const path = `/api/campaigns/${id}/schedule`;
    const far = new Date(world.testApp.clock.now().getTime() + 731 * DAY).toISOString();
    for (const scheduledAt of [far, '9999-12-31T10:00', '9999-12-31T23:59:59+00:00']) {
      const { body } = await owner.client.post(path).send({ scheduledAt, timeZone: 'Europe/Istanbul' }).expect(400);
      expect(body.errors.scheduledAt).toEqual(['Please choose a time within the next two years']);
    }
    expect(await readProgress(owner.client, id)).toMatchObject({ status: 'draft' });
    const near = new Date(world.testApp.clock.now().getTime() + 729 * DAY).toISOString();
    await owner.client.post(path).send({ scheduledAt: near, timeZone: 'UTC' }).expect(200);
  });

  it('start even if their job was lost', async () => {
    const { owner, zone } = sender;
    await insertMembers(world, zone, 2);
    const id = await createDraft(sender);
    const scheduledAt = new Date(world.testApp.clock.now().getTime() + MINUTE).toISOString();
    await owner.client.post(`/api/campaigns/${id}/schedule`).send({ scheduledAt, timeZone: 'UTC' }).expect(200);
    await world.testApp.em().execute(`delete from jobs where name = 'campaigns.start-scheduled-campaign'`);
    world.testApp.clock.advance(2 * MINUTE);
    const { sweepCampaigns } = await import('../../../src/modules/campaigns/campaigns.jobs.js');
    await world.testApp.app.get(CronScheduler).enqueueCronRun(sweepCampaigns as never, world.testApp.clock.now());
    await world.testApp.drain();
    expect(await readProgress(owner.client, id)).toMatchObject({ status: 'sent', deliveredCount: 2 });
  });

  it('fail when the quota is insufficient, and the owner is notified', async () => {
    const { owner, zone } = sender;
    await insertMembers(world, zone, 3);
    await setEmailQuota(world, sender, 2);
    const id = await createDraft(sender, { name: 'Autumn news for {{first_name|you}} of {{zone_name}}' });
    const scheduledAt = new Date(world.testApp.clock.now().getTime() + MINUTE).toISOString();
    await owner.client.post(`/api/campaigns/${id}/schedule`).send({ scheduledAt, timeZone: 'UTC' }).expect(200);
    world.testApp.clock.advance(2 * MINUTE);
    await world.testApp.drain();
    const { body } = await owner.client.get(`/api/campaigns/${id}`).expect(200);
    expect(body).toMatchObject({
      status: 'failed',
      failure: 'PLAN_LIMIT',
      recipientCount: 0,
      can: { edit: true, send: true, schedule: true, delete: true },
    });
    expect(sink.recipients).toEqual([owner.email]);
    expect(sink.messages[0]!.raw.replaceAll('=\r\n', '')).toContain(`Autumn news for you of ${zone.name}`);
    expect(await readUsedEmails(world, sender)).toBe(0);
  });

  it('can be sent after failing for the quota, once the plan allows it', async () => {
    const { owner, zone } = sender;
    await insertMembers(world, zone, 3);
    await setEmailQuota(world, sender, 2);
    const id = await createDraft(sender);
    const scheduledAt = new Date(world.testApp.clock.now().getTime() + MINUTE).toISOString();
    await owner.client.post(`/api/campaigns/${id}/schedule`).send({ scheduledAt, timeZone: 'UTC' }).expect(200);
    world.testApp.clock.advance(2 * MINUTE);
    await world.testApp.drain();
    const early = await send(id).expect(403);
    expect(early.body.code).toBe('PLAN_LIMIT');
    expect(await readProgress(owner.client, id)).toMatchObject({ status: 'failed' });
    await setEmailQuota(world, sender, 3);
    const responses = await Promise.all([send(id), send(id), send(id)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    await world.testApp.drain();
    const { body } = await owner.client.get(`/api/campaigns/${id}`).expect(200);
    expect(body).toMatchObject({ status: 'sent', failure: null, deliveredCount: 3 });
    expect(await readUsedEmails(world, sender)).toBe(3);
  });

  it('can be edited and scheduled again after failing for the quota', async () => {
    const { owner, zone } = sender;
    await insertMembers(world, zone, 3);
    await setEmailQuota(world, sender, 2);
    const id = await createDraft(sender);
    const inAMinute = () => new Date(world.testApp.clock.now().getTime() + MINUTE).toISOString();
    const schedule = () =>
      owner.client.post(`/api/campaigns/${id}/schedule`).send({ scheduledAt: inAMinute(), timeZone: 'UTC' });
    await schedule().expect(200);
    world.testApp.clock.advance(2 * MINUTE);
    await world.testApp.drain();
    const { body: changed } = await owner.client.put(`/api/campaigns/${id}`).send({ subject: 'A second try' });
    expect(changed).toMatchObject({ status: 'failed', failure: 'PLAN_LIMIT', subject: 'A second try' });
    await setEmailQuota(world, sender, 3);
    expect((await schedule().expect(200)).body).toMatchObject({ status: 'scheduled', failure: null });
    sink.messages.length = 0;
    world.testApp.clock.advance(2 * MINUTE);
    await world.testApp.drain();
    expect(await readProgress(owner.client, id)).toMatchObject({ status: 'sent', deliveredCount: 3 });
    expect(sink.messages.map(({ headers }) => headers.get('subject'))).toEqual(Array(3).fill('A second try'));
    const again = owner.client.put(`/api/campaigns/${id}`).send({ subject: 'A third try' });
    expect((await again.expect(409)).body.code).toBe('CAMPAIGN_NOT_DRAFT');
  });

  it('are not sent for a deactivated owner', async () => {
    const { owner, zone } = sender;
    await insertMembers(world, zone, 3);
    const [running, planned] = [await createDraft(sender), await createDraft(sender)];
    await send(running).expect(200);
    const scheduledAt = new Date(world.testApp.clock.now().getTime() + MINUTE).toISOString();
    await owner.client.post(`/api/campaigns/${planned}/schedule`).send({ scheduledAt, timeZone: 'UTC' }).expect(200);
    const { UserService } = await import('../../../src/modules/auth/users/user.service.js');
    const users = world.testApp.app.get(UserService, { strict: false });
    const { RequestContext } = await import('@mikro-orm/core');
    await RequestContext.create(world.testApp.em(), () => users.deactivate(owner.id, null));
    world.testApp.clock.advance(2 * MINUTE);
    await world.testApp.drain();
    expect(sink.messages).toHaveLength(0);
    const states = await world.testApp
      .em()
      .execute<object[]>('select status, failure from campaigns where sent_by_id = ? order by id', [owner.id]);
    expect(states).toEqual([
      { status: 'paused', failure: null },
      { status: 'failed', failure: 'OWNER_DEACTIVATED' },
    ]);
  });

  it.each([
    ['an invalid time', { scheduledAt: 'tomorrow', timeZone: 'UTC' }, 'scheduledAt'],
    ['an invalid date', { scheduledAt: '2999-02-30T10:00', timeZone: 'UTC' }, 'scheduledAt'],
    ['a time in the past', { scheduledAt: '2001-01-01T10:00:00Z', timeZone: 'UTC' }, 'scheduledAt'],
    ['an unknown time zone', { scheduledAt: '2999-01-01T10:00', timeZone: 'Mars/Base' }, 'timeZone'],
  ])('reject %s', async (_, body, field) => {
    const id = await createDraft(sender);
    const response = await sender.owner.client.post(`/api/campaigns/${id}/schedule`).send(body).expect(400);
    expect(Object.keys(response.body.errors)).toEqual([field]);
  });
});
