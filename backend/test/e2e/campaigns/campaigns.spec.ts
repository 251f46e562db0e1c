import { joinPublicZone, registerUser, type Actor } from '../../support/people/actors.js';
import { describeInProcess, type World } from '../../support/world.js';
import {
  insertMembers,
  createDraft,
  setUpSenderPerTest,
  SmtpSink,
  createSender,
  campaignContent,
  type Sender,
} from './campaign-helpers.js';

describeInProcess('Campaigns', () => {
  let world: World;
  let sink: SmtpSink;
  let sender: Sender;

  setUpSenderPerTest((given) => ({ world, sink, sender } = given));

  it('are created, changed, listed and deleted as drafts', async () => {
    const { owner, zone } = sender;
    const { body: created } = await owner.client
      .post(`/api/zones/${zone.id}/campaigns`)
      .send({ subject: ' Hello ', htmlContent: '<p>Hi</p><script>x</script>' })
      .expect(201);
    expect(created).toMatchObject({
      kind: 'campaign',
      name: 'Hello',
      subject: 'Hello',
      htmlContent: '<p>Hi</p>',
      textContent: null,
      message: 'Hi',
      status: 'draft',
      zoneId: zone.id,
      zoneName: zone.name,
      targetAudience: 'all',
      trackingEnabled: true,
      recipientCount: 0,
      pendingCount: 0,
      sentById: owner.id,
      sentAt: null,
      scheduledAt: null,
      can: { edit: true, send: true, schedule: true, delete: true, pause: false, retryFailed: false },
    });
    const change = { name: 'Mine', textContent: 'Own text', targetAudience: 'recent', trackingEnabled: false };
    const { body: changed } = await owner.client.put(`/api/campaigns/${created.id}`).send(change).expect(200);
    expect(changed).toMatchObject({ ...change, subject: 'Hello', htmlContent: '<p>Hi</p>' });
    const lists = [`/api/campaigns`, `/api/zones/${zone.id}/campaigns`];
    for (const path of lists) {
      const { body, headers } = await owner.client.get(path).expect(200);
      expect(body).toEqual([expect.objectContaining({ id: created.id, name: 'Mine' })]);
      expect(body[0]).not.toHaveProperty('htmlContent');
      expect(headers['x-total-count']).toBe('1');
    }
    await owner.client.delete(`/api/campaigns/${created.id}`).expect(204);
    await owner.client.get(`/api/campaigns/${created.id}`).expect(404);
  });

  it('return 409 when a draft that has changed since is saved, sent or scheduled', async () => {
    const { owner, zone } = sender;
    const { client } = owner;
    const wording = { subject: 'First', htmlContent: '<p>Hi</p>' };
    const { body: seen } = await client.post(`/api/zones/${zone.id}/campaigns`).send(wording).expect(201);
    const path = `/api/campaigns/${seen.id}`;
    world.testApp.clock.advance(1000);
    const { updatedAt } = seen;
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => client.put(path).send({ subject: `Tab ${index}`, updatedAt })),
    );
    const [successful] = responses.filter(({ status }) => status === 200);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    const scheduledAt = new Date(world.testApp.clock.now().getTime() + 86_400_000).toISOString();
    for (const [step, more] of [
      ['send', {}],
      ['schedule', { scheduledAt, timeZone: 'UTC' }],
    ] as const) {
      const { body } = await client
        .post(`${path}/${step}`)
        .send({ ...more, updatedAt })
        .expect(409);
      expect(body.code).toBe('CAMPAIGN_CHANGED');
    }
    expect((await client.get(path).expect(200)).body).toEqual(successful!.body);
    await client.put(path).send({ subject: 'x', updatedAt: 'yesterday' }).expect(400);
    await client.put(path).send({ subject: 'Last', updatedAt: successful!.body.updatedAt }).expect(200);
    await client.put(path).send({ subject: 'Whatever it is' }).expect(200);
  });

  it('can be created by the alternative routes with the same result', async () => {
    const { owner, zone } = sender;
    await insertMembers(world, zone, 2);
    const body = { ...campaignContent(), zoneId: zone.id, recipientType: 'older', name: 'N', textContent: 'T' };
    const { body: created } = await owner.client.post('/api/campaigns').send(body).expect(201);
    expect(created).toMatchObject({
      targetAudience: 'older',
      name: 'N',
      textContent: 'T',
      message: 'T',
      status: 'draft',
    });
    const { body: saved } = await owner.client
      .post(`/api/zones/${zone.id}/send-email`)
      .send({ ...campaignContent(), sendMode: 'draft' })
      .expect(200);
    expect(saved).toEqual({ status: 'draft', recipientCount: 0, totalMembers: 2, campaignId: expect.any(Number) });
    const { body: sent } = await owner.client
      .post(`/api/zones/${zone.id}/send-email`)
      .send({ ...campaignContent(), sendMode: 'send' })
      .expect(200);
    expect(sent).toMatchObject({ status: 'sending', recipientCount: 2, totalMembers: 2 });
    await world.testApp.drain();
    expect(sink.messages).toHaveLength(2);
  });

  it('are accessible only to the owner of the zone', async () => {
    const { owner, zone } = sender;
    const id = await createDraft(sender);
    const [member, admin, outsider] = [await registerUser(world), await registerUser(world), await registerUser(world)];
    for (const actor of [member, admin]) await joinPublicZone(zone, actor);
    await world.testApp
      .em()
      .execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [zone.id, admin.id]);
    const calls: ((actor: Actor) => Promise<{ status: number }>)[] = [
      (actor) => actor.client.get(`/api/campaigns/${id}`),
      (actor) => actor.client.put(`/api/campaigns/${id}`).send({ subject: 'Mine now' }),
      (actor) => actor.client.delete(`/api/campaigns/${id}`),
      ...['send', 'unschedule', 'pause', 'resume', 'cancel', 'retry-failed', 'test'].map(
        (step) => (actor: Actor) => actor.client.post(`/api/campaigns/${id}/${step}`),
      ),
      ...['progress', 'report', 'report.csv', 'deliveries', 'preview', 'send-preview'].map(
        (what) => (actor: Actor) => actor.client.get(`/api/campaigns/${id}/${what}`),
      ),
      (actor) => actor.client.get(`/api/zones/${zone.id}/campaigns`),
      (actor) => actor.client.post(`/api/zones/${zone.id}/campaigns`).send(campaignContent()),
      (actor) => actor.client.post(`/api/zones/${zone.id}/send-email`).send(campaignContent()),
      (actor) => actor.client.post('/api/campaigns').send({ ...campaignContent(), zoneId: zone.id }),
      (actor) => actor.client.get(`/api/zones/${zone.id}/mail-settings`),
    ];
    for (const call of calls) {
      for (const actor of [member, admin]) expect((await call(actor)).status).toBe(403);
      expect((await call(outsider)).status).toBe(404);
    }
    expect((await outsider.client.get('/api/campaigns')).body).toEqual([]);
    expect((await owner.client.get(`/api/campaigns/${id}`)).body.subject).not.toBe('Mine now');
  });

  it('cannot be moved into a zone of another owner', async () => {
    const other = await createSender(world);
    const id = await createDraft(sender);
    await sender.owner.client.put(`/api/campaigns/${id}`).send({ zoneId: other.zone.id }).expect(404);
    expect((await sender.owner.client.get(`/api/campaigns/${id}`)).body.zoneId).toBe(sender.zone.id);
  });

  it.each([
    ['no subject', { subject: ' ' }, 'subject', 'Please enter a subject line'],
    ['a missing subject', { subject: undefined }, 'subject', 'Please enter a subject line'],
    ['no content', { htmlContent: ' ' }, 'htmlContent', 'Please enter email content'],
    [
      'content that is empty after sanitising',
      { htmlContent: '<script>1</script>' },
      'htmlContent',
      'Please enter email content',
    ],
    [
      'content without anything visible',
      { htmlContent: '<p><br>&nbsp;</p>' },
      'htmlContent',
      'Please enter email content',
    ],
    [
      'elements nested too deeply',
      { htmlContent: '<div>'.repeat(5_000) + 'x' },
      'htmlContent',
      'The HTML is nested too deeply. At most 200 levels are allowed.',
    ],
    [
      'styles that would take the server too long',
      { htmlContent: `<style>${'.a p b{color:red}'.repeat(2_000)}</style>${'<p><b>x</b></p>'.repeat(4_000)}` },
      'htmlContent',
      'The email has too many styles for its length. Please use fewer style rules.',
    ],
    ['a subject of two lines', { subject: 'Hi\r\nBcc: x@example.com' }, 'subject', null],
    ['a malformed merge field', { htmlContent: '<p>{{first_name</p>' }, 'htmlContent', null],
    ['an unknown merge field', { subject: 'Hi {{password}}' }, 'subject', null],
    ['an unknown audience', { targetAudience: 'friends' }, 'targetAudience', null],
  ])('reject %s', async (_, more, field, message) => {
    const path = `/api/zones/${sender.zone.id}/send-email`;
    const { body } = await sender.owner.client.post(path).send(campaignContent(more)).expect(400);
    expect(Object.keys(body.errors)).toEqual([field]);
    if (message) expect(body.errors[field]).toEqual([message]);
    expect((await sender.owner.client.get('/api/campaigns')).body).toEqual([]);
  });

  it('have private-use marker characters removed from their HTML', async () => {
    const { owner, zone } = sender;
    const htmlContent = '<p>Hello&#xE000;999&#xE001;</p>';
    const { body } = await owner.client
      .post(`/api/zones/${zone.id}/campaigns`)
      .send(campaignContent({ htmlContent }))
      .expect(201);
    expect(body.htmlContent).toBe('<p>Hello999</p>');
    const preview = await owner.client.get(`/api/campaigns/${body.id}/preview`).expect(200);
    expect(preview.text).toContain('<p>Hello999</p>');
  });

  it('reject HTML above 500 kB with 413', async () => {
    const path = `/api/zones/${sender.zone.id}/campaigns`;
    const post = (bytes: number) =>
      sender.owner.client.post(path).send(campaignContent({ htmlContent: 'x'.repeat(bytes) }));
    expect((await post(500 * 1024 + 1).expect(413)).body.code).toBe('CAMPAIGN_TOO_LARGE');
    expect((await post(2_000_000).expect(413)).body.code).toBe('BODY_TOO_LARGE');
    await post(500 * 1024).expect(201);
  });
});
