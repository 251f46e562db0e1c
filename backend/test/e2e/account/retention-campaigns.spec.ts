import { RetentionService } from '../../../src/modules/retention/retention.service.js';
import { createZone, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { insertOldCampaign } from './old-campaign.js';

const DAY = 86_400_000;

describeInProcess('Retention of campaign events', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;
  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    owner = await registerUser(world);
    zone = await createZone(owner);
  });
  afterAll(() => world.close());

  const rows = async (sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
    world.testApp.em().execute(sql, values);
  const count = async (sql: string, values: unknown[] = []) =>
    Number((await rows(`select count(*) as n from ${sql}`, values))[0]!.n);
  const run = () => world.testApp.app.get(RetentionService).applyPolicies(new AbortController().signal);
  /** The instant `days` and one hour before the application's time. */
  const ago = (days: number) => new Date(world.testApp.clock.now().getTime() - days * DAY - 3_600_000);
  const readReport = async (id: number) => (await owner.client.get(`/api/campaigns/${id}/report`).expect(200)).body;

  it('deletes opens and clicks 400 days after the last one of an email and keeps the report', async () => {
    const campaign = await insertOldCampaign(world, zone, ago(500));
    const [old, mixed] = [await campaign.addDelivery(), await campaign.addDelivery()];
    for (const link of [null, 0, 0, 1]) await campaign.addEvent(old, ago(410), link);
    await campaign.addEvent(old, ago(410), 1, 'machine');
    await campaign.addEvent(mixed, ago(410), 0);
    await campaign.addEvent(mixed, ago(399), 0);
    const before = await readReport(campaign.id);
    expect(before.links).toEqual([
      { url: 'https://x.test/a', recipients: 2, clicks: 4 },
      { url: 'https://x.test/b', recipients: 1, clicks: 1 },
    ]);
    await run();
    expect(
      await rows('select distinct delivery_id::int as id from campaign_events where campaign_id = ?', [campaign.id]),
    ).toEqual([{ id: mixed }]);
    expect(await readReport(campaign.id)).toEqual(before);
    world.testApp.clock.advance(2 * DAY);
    await run();
    expect(await count('campaign_events where campaign_id = ?', [campaign.id])).toBe(0);
    expect(await readReport(campaign.id)).toEqual(before);
  });

  it('counts a recipient who clicks again after deletion once, even in concurrent runs', async () => {
    const campaign = await insertOldCampaign(world, zone, ago(500));
    const [first, second] = [await campaign.addDelivery(), await campaign.addDelivery()];
    const readFigures = async () =>
      (await readReport(campaign.id)).links.map(({ recipients, clicks }: Record<string, number>) => [
        recipients,
        clicks,
      ]);
    const ageEvents = () =>
      rows(`update campaign_events set created_at = created_at - interval '410 days' where campaign_id = ?`, [
        campaign.id,
      ]);
    await campaign.addEvent(first, ago(410), 0);
    await campaign.addEvent(first, ago(410), 1, 'machine');
    await run();
    expect(await count('campaign_events where campaign_id = ?', [campaign.id])).toBe(0);
    await campaign.addEvent(first, ago(1), 0);
    await campaign.addEvent(first, ago(1), 1);
    await campaign.addEvent(second, ago(1), 0);
    const after = [
      [2, 3],
      [1, 1],
    ];
    expect(await readFigures()).toEqual(after);
    await ageEvents();
    await Promise.all([run(), run(), run()]);
    expect(await count('campaign_events where campaign_id = ?', [campaign.id])).toBe(0);
    expect(await readFigures()).toEqual(after);
    await campaign.addEvent(second, ago(1), 1);
    await ageEvents();
    await run();
    expect(await readFigures()).toEqual([
      [2, 3],
      [2, 2],
    ]);
  });
});
