import { MINUTE } from '../../../src/platform/clock/clock.js';
import { joinPublicZone, registerUser, type Actor } from '../../support/people/actors.js';
import { whileTransactionOpen } from '../../support/while-transaction-open.js';
import { describeInProcess, type World } from '../../support/world.js';
import {
  insertMembers,
  setEmailQuota,
  createDraft,
  setUpSenderPerTest,
  SmtpSink,
  readProgress,
  readUsedEmails,
  campaignContent,
  type Sender,
} from './campaign-helpers.js';

describeInProcess('Sending campaigns', () => {
  let world: World;
  let sink: SmtpSink;
  let sender: Sender;

  setUpSenderPerTest((given) => ({ world, sink, sender } = given));

  const send = (id: number, actor: Actor = sender.owner) => actor.client.post(`/api/campaigns/${id}/send`);

  it('sends once to every member with consent and counts them', async () => {
    const { owner, zone } = sender;
    const emails = await insertMembers(world, zone, 45);
    await insertMembers(world, zone, 3, { consent: false });
    const id = await createDraft(sender, { subject: 'Hi {{first_name}} & co' });
    const { body: preview } = await owner.client.get(`/api/campaigns/${id}/send-preview`).expect(200);
    expect(preview).toMatchObject({
      totalMembers: 48,
      audienceMembers: 48,
      recipientCount: 45,
      withoutConsent: 3,
      unreachable: 0,
      fitsQuota: true,
      fromName: zone.name,
      replyTo: owner.email,
      hasPostalAddress: false,
      quota: { unlimited: false, emailsSent: 0, quotaLimit: 100, remaining: 100 },
    });
    const { body: sending } = await send(id).expect(200);
    expect(sending).toMatchObject({ status: 'sending', recipientCount: 45, pendingCount: 45 });
    await world.testApp.drain();
    expect([...sink.recipients].sort()).toEqual([...emails].sort());
    expect(new Set(sink.messages.map(({ messageId }) => messageId)).size).toBe(45);
    expect(sink.messagesTo(emails[6]!)[0]!.headers.get('subject')).toBe('Hi First 7 & co');
    expect(await readProgress(owner.client, id)).toMatchObject({ status: 'sent', deliveredCount: 45, pendingCount: 0 });
    for (const path of ['/api/email-quota', '/api/user/email-quota']) {
      const { body } = await owner.client.get(path).expect(200);
      expect(body).toMatchObject({ unlimited: false, emailsSent: 45, quotaLimit: 100, remaining: 55 });
    }
  });

  it('sends once for 20 concurrent clicks', async () => {
    const emails = await insertMembers(world, sender.zone, 5);
    const id = await createDraft(sender);
    const responses = await Promise.all(Array.from({ length: 20 }, () => send(id)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ body }) => body.code === 'CAMPAIGN_NOT_DRAFT')).toHaveLength(19);
    await world.testApp.drain();
    expect([...sink.recipients].sort()).toEqual(emails.sort());
    expect(await readUsedEmails(world, sender)).toBe(5);
  });

  it('sends once for 20 concurrent clicks in the composer, with equal responses', async () => {
    const { owner, zone } = sender;
    const emails = await insertMembers(world, zone, 5);
    const body = { ...campaignContent(), sendMode: 'send' };
    const path = `/api/zones/${zone.id}/send-email`;
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => owner.client.post(path).send(body).expect(200)),
    );
    expect(new Set(responses.map((response) => response.body.campaignId)).size).toBe(1);
    await world.testApp.drain();
    expect([...sink.recipients].sort()).toEqual(emails.sort());
    expect(await readUsedEmails(world, sender)).toBe(5);
    world.testApp.clock.advance(2 * MINUTE);
    await owner.client.post(path).send(body).expect(200);
    await world.testApp.drain();
    expect(sink.messages).toHaveLength(10);
  });

  it('sends and charges nothing when one recipient exceeds the quota', async () => {
    await insertMembers(world, sender.zone, 11);
    await setEmailQuota(world, sender, 10);
    const id = await createDraft(sender);
    const { body } = await send(id).expect(403);
    expect(body).toMatchObject({ code: 'PLAN_LIMIT', planLimit: true, limit: 'mails', used: 0, allowed: 10 });
    await world.testApp.drain();
    expect(sink.messages).toHaveLength(0);
    expect(await readUsedEmails(world, sender)).toBe(0);
    expect(await readProgress(sender.owner.client, id)).toMatchObject({ status: 'draft', recipientCount: 0 });
    await setEmailQuota(world, sender, 11);
    await send(id).expect(200);
  });

  it('does not exceed the quota with concurrent campaigns', async () => {
    await insertMembers(world, sender.zone, 10);
    await setEmailQuota(world, sender, 30);
    const ids = await Promise.all(Array.from({ length: 8 }, () => createDraft(sender)));
    const responses = await Promise.all(ids.map((id) => send(id)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await readUsedEmails(world, sender)).toBe(30);
  });

  it('is unlimited for super admins', async () => {
    const { owner } = sender;
    await world.testApp.em().execute('update users set is_super_admin = true where id = ?', [owner.id]);
    await insertMembers(world, sender.zone, 150);
    await send(await createDraft(sender)).expect(200);
    const { body } = await owner.client.get('/api/email-quota').expect(200);
    expect(body).toMatchObject({ unlimited: true, quotaLimit: null, remaining: null, emailsSent: 150 });
  });

  it('requires members who can receive email', async () => {
    const id = await createDraft(sender);
    const { body } = await send(id).expect(409);
    expect(body).toMatchObject({ code: 'NO_MEMBERS', message: 'This zone has no members to send emails to.' });
    await insertMembers(world, sender.zone, 2, { consent: false });
    expect((await send(id).expect(409)).body).toMatchObject({
      code: 'NO_RECIPIENTS',
      message: 'No members match: none of them has agreed to receive emails.',
    });
    const unreadable = await createDraft(sender, { targetAudience: 'older' });
    await insertMembers(world, sender.zone, 2);
    expect((await send(unreadable).expect(409)).body).toMatchObject({
      code: 'NO_RECIPIENTS',
      message: 'No members match: nobody joined more than 30 days ago.',
    });
  });

  it('divides audiences at 30 days after joining', async () => {
    const { owner, zone } = sender;
    const older = await insertMembers(world, zone, 3);
    await world.testApp
      .em()
      .execute(
        `update zone_members set created_at = now() - interval '31 days' where zone_id = ? and role = 'member'`,
        [zone.id],
      );
    const recent = await insertMembers(world, zone, 2);
    for (const [targetAudience, expected] of [
      ['older', older],
      ['recent', recent],
    ] as const) {
      sink.messages.length = 0;
      await send(await createDraft(sender, { targetAudience })).expect(200);
      await world.testApp.drain();
      expect([...sink.recipients].sort()).toEqual([...expected].sort());
    }
    const { body } = await owner.client.get(`/api/zones/${zone.id}/send-preview?targetAudience=recent`).expect(200);
    expect(body).toMatchObject({ totalMembers: 5, audienceMembers: 2, recipientCount: 2 });
  });

  it('leaves out members who left, expired, were deactivated, suppressed or unsubscribed', async () => {
    const { zone, owner } = sender;
    const [active, expired, deactivated, suppressed, without] = (await insertMembers(world, zone, 5)) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const em = world.testApp.em();
    await em.execute(`update zone_members set expires_at = now() - interval '1 second' where email = ?`, [expired]);
    await em.execute(`update users set deactivated_at = now() where email = ?`, [deactivated]);
    const { SuppressionRepository } = await import('../../../src/modules/zones/leaving/suppression.repository.js');
    await world.testApp.app
      .get(SuppressionRepository, { strict: false })
      .addSuppression(em, owner.id, suppressed, 'failed');
    await em.execute(
      `insert into email_unsubscribes (zone_id, user_id, unsubscribed_at) select ?, id, now() from users where email = ?`,
      [zone.id, without],
    );
    const { body } = await owner.client.get(`/api/zones/${zone.id}/send-preview`).expect(200);
    expect(body).toMatchObject({ totalMembers: 4, recipientCount: 1, withoutConsent: 1, unreachable: 2 });
    await send(await createDraft(sender)).expect(200);
    await world.testApp.drain();
    expect(sink.recipients).toEqual([active]);
    const { body: listed } = await owner.client.get(`/api/zones/${zone.id}/suppressed-members`).expect(200);
    expect(listed).toMatchObject([{ email: suppressed, reason: 'failed', canLift: true }]);
    await owner.client.delete(`/api/zones/${zone.id}/suppressed-members/${listed[0].userId}`).expect(204);
    await owner.client.delete(`/api/zones/${zone.id}/suppressed-members/${listed[0].userId}`).expect(404);
    expect((await owner.client.get(`/api/zones/${zone.id}/suppressed-members`)).body).toEqual([]);
  });

  it("reaches buyers without consent only in zones that don't require it", async () => {
    const { zone, owner } = sender;
    await insertMembers(world, zone, 1, { consent: false, joinMethod: 'purchase' });
    const path = `/api/zones/${zone.id}/send-preview`;
    expect((await owner.client.get(path)).body).toMatchObject({ recipientCount: 0, withoutConsent: 1 });
    await owner.client.patch(`/api/zones/${zone.id}`).send({ requiresEmailOptin: false }).expect(200);
    expect((await owner.client.get(path)).body).toMatchObject({ recipientCount: 1, withoutConsent: 0 });
  });

  it('skips and refunds a member who leaves after sending started', async () => {
    const { zone } = sender;
    const emails = await insertMembers(world, zone, 4);
    const member = await registerUser(world);
    await joinPublicZone(zone, member);
    sink.messages.length = 0;
    const id = await createDraft(sender);
    expect((await send(id).expect(200)).body.recipientCount).toBe(5);
    await member.client.post(`/api/zones/${zone.id}/leave`).send({}).expect(200);
    expect(await readUsedEmails(world, sender)).toBe(5);
    await world.testApp.drain();
    expect([...sink.recipients].filter((to) => to !== sender.owner.email).sort()).toEqual(emails.sort());
    expect(await readProgress(sender.owner.client, id)).toMatchObject({
      status: 'sent',
      deliveredCount: 4,
      skippedCount: 1,
    });
    expect(await readUsedEmails(world, sender)).toBe(4);
  });

  it.each([
    [
      'withdrew consent',
      `insert into email_unsubscribes (zone_id, user_id, unsubscribed_at)
       select zone_id, user_id, now() from zone_members where email = ?`,
    ],
    ['is no longer a member', 'delete from zone_members where email = ?'],
    ['has an expired membership', `update zone_members set expires_at = now() - interval '1 s' where email = ?`],
    ['is deactivated', 'update users set deactivated_at = now() where email = ?'],
    ['is suppressed', null],
  ])('skips only a member who %s before being sent to', async (_, change) => {
    const { zone, owner } = sender;
    const [remaining, removed] = (await insertMembers(world, zone, 2)) as [string, string];
    const id = await createDraft(sender);
    expect((await send(id).expect(200)).body.recipientCount).toBe(2);
    const { SuppressionRepository } = await import('../../../src/modules/zones/leaving/suppression.repository.js');
    const em = world.testApp.em();
    if (change) await em.execute(change, [removed]);
    else
      await world.testApp.app
        .get(SuppressionRepository, { strict: false })
        .addSuppression(em, owner.id, removed, 'failed');
    await world.testApp.drain();
    expect(sink.recipients).toEqual([remaining]);
    expect(await readProgress(owner.client, id)).toMatchObject({ status: 'sent', deliveredCount: 1, skippedCount: 1 });
    expect(await readUsedEmails(world, sender)).toBe(1);
  });

  it('leaves out a member who is erased while it starts', async () => {
    const { owner, zone } = sender;
    const [remaining, removed] = (await insertMembers(world, zone, 2)) as [string, string];
    const id = await createDraft(sender);
    const change = { sql: 'delete from users where email = $1', values: [removed] };
    const { body } = await whileTransactionOpen(world, change, () => send(id).expect(200));
    expect(body).toMatchObject({ status: 'sending', recipientCount: 1 });
    await world.testApp.drain();
    expect(sink.recipients).toEqual([remaining]);
    expect(await readProgress(owner.client, id)).toMatchObject({ status: 'sent', deliveredCount: 1, skippedCount: 0 });
    expect(await readUsedEmails(world, sender)).toBe(1);
  });

  it('does not start in a zone that is deleted meanwhile', async () => {
    const { zone } = sender;
    await insertMembers(world, zone, 2);
    const id = await createDraft(sender);
    const sql = `with held as (select id from campaigns where zone_id = $1 for update)
      update zones set deleted_at = now() where id in (select $1::bigint from held)`;
    const { body } = await whileTransactionOpen(world, { sql, values: [zone.id] }, () => send(id).expect(404));
    expect(body.code).toBe('CAMPAIGN_NOT_FOUND');
    const em = world.testApp.em();
    expect(await em.execute('select status from campaigns where id = ?', [id])).toEqual([{ status: 'draft' }]);
    expect(await em.execute('select from deliveries where campaign_id = ?', [id])).toEqual([]);
    expect(await readUsedEmails(world, sender)).toBe(0);
  });

  it('can be paused, resumed and cancelled, refunding what was not sent', async () => {
    const { owner, zone } = sender;
    await insertMembers(world, zone, 6);
    const id = await createDraft(sender);
    await send(id).expect(200);
    expect((await owner.client.post(`/api/campaigns/${id}/pause`).expect(200)).body.status).toBe('paused');
    await world.testApp.drain();
    expect(sink.messages).toHaveLength(0);
    expect((await owner.client.post(`/api/campaigns/${id}/pause`).expect(409)).body.code).toBe('CAMPAIGN_STATE');
    await owner.client.post(`/api/campaigns/${id}/resume`).expect(200);
    await world.testApp.drain();
    expect(sink.messages).toHaveLength(6);
    const other = await createDraft(sender);
    await send(other).expect(200);
    expect(await readUsedEmails(world, sender)).toBe(12);
    const { body } = await owner.client.post(`/api/campaigns/${other}/cancel`).expect(200);
    expect(body).toMatchObject({ status: 'cancelled', cancelledCount: 6, pendingCount: 0 });
    expect(await readUsedEmails(world, sender)).toBe(6);
    await world.testApp.drain();
    expect(sink.messages).toHaveLength(6);
    for (const step of ['resume', 'cancel', 'send', 'retry-failed']) {
      await owner.client.post(`/api/campaigns/${other}/${step}`).expect(409);
    }
  });

  it('allows editing, sending, scheduling and deleting only for drafts', async () => {
    const { owner, zone } = sender;
    await insertMembers(world, zone, 1);
    const id = await createDraft(sender);
    await send(id).expect(200);
    const scheduledAt = new Date(world.testApp.clock.now().getTime() + 30 * MINUTE).toISOString().slice(0, 16);
    const calls = [
      owner.client.put(`/api/campaigns/${id}`).send({ subject: 'x' }),
      owner.client.delete(`/api/campaigns/${id}`),
      owner.client.post(`/api/campaigns/${id}/schedule`).send({ scheduledAt, timeZone: 'UTC' }),
      send(id),
    ];
    for (const call of calls) expect((await call.expect(409)).body.code).toBe('CAMPAIGN_NOT_DRAFT');
  });
});
