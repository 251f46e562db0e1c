import { createZone, registerUser } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { runConcurrently, countStatuses } from '../auth/account-helpers.js';

const mail = { subject: 'News', htmlContent: '<p>News</p>' };

describeInProcess('Limits of templates and drafts', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open();
  });
  afterAll(() => world.close());

  it('allow at most 100 templates per user, even with 50 concurrent requests', async () => {
    const owner = await registerUser(world);
    const sql = `insert into email_templates (owner_id, name, subject, html_content, created_at, updated_at)
      select ?, 'T', 'S', '<p>x</p>', now(), now() from generate_series(1, 90)`;
    await world.testApp.em().execute(sql, [owner.id]);
    const template = { ...mail, name: 'Template' };
    const responses = await runConcurrently(50, () => owner.client.post('/api/email-templates').send(template));
    expect(countStatuses(responses)).toEqual({ 201: 10, 409: 40 });
    expect(responses.find(({ status }) => status === 409)!.body.code).toBe('TEMPLATE_LIMIT');
    const { body } = await owner.client.get('/api/email-templates').expect(200);
    await owner.client.delete(`/api/email-templates/${body.at(-1).id}`).expect(204);
    await owner.client.post('/api/email-templates').send(template).expect(201);
    await (await registerUser(world)).client.post('/api/email-templates').send(template).expect(201);
  });

  it('allow at most 500 drafts per user across all zones, even with 50 concurrent requests', async () => {
    const owner = await registerUser(world);
    const zone = await createZone(owner);
    await owner.client
      .post('/api/campaigns')
      .send({ ...mail, zoneId: zone.id })
      .expect(201);
    const copy = `insert into campaigns (zone_id, sent_by_id, name, subject, html_content, target_audience, created_at, updated_at)
      select zone_id, sent_by_id, name, subject, html_content, target_audience, now(), now()
      from campaigns, generate_series(1, ?) where zone_id = ?`;
    await world.testApp.em().execute(copy, [494, zone.id]);
    const requests = [
      () => owner.client.post('/api/campaigns').send({ ...mail, zoneId: zone.id }),
      () => owner.client.post(`/api/zones/${zone.id}/campaigns`).send(mail),
    ];
    const responses = await runConcurrently(50, (index) => requests[index % 2]!());
    expect(countStatuses(responses)).toEqual({ 201: 5, 409: 45 });
    const { body } = await owner.client.post(`/api/zones/${zone.id}/send-email`).send({ ...mail, sendMode: 'draft' });
    expect(body.code).toBe('DRAFT_LIMIT');
  });
});
