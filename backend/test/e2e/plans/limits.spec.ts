import { describeInProcess } from '../../support/world.js';
import { postFiles } from '../files/upload/multipart-helpers.js';
import { postUpload } from '../files/upload/files-tus.js';
import { hasSucceeded, LimitsWorld, type Attempt, type LimitedMetric, type AttemptFactory } from './limits-world.js';
import {
  deferredEmailAttempts,
  trashFile,
  membershipAttempts,
  emailAttempts,
  storageAttempts,
  zoneAttempts,
} from './limit-attempts.js';
import { fullOrShort } from '../../support/full-or-short.js';

describeInProcess('Plan limit', () => {
  let limits: LimitsWorld;

  beforeAll(async () => {
    limits = await LimitsWorld.open();
  });
  beforeEach(() => limits.createOwner());
  afterAll(() => limits.close());

  const table = (factories: Record<string, AttemptFactory>) => Object.entries(factories);

  /** Uses the last unit, one too many, one more after the limit is raised, none after it is lowered; 0 allows none. */
  async function expectLimit(metric: LimitedMetric, createAttempts: AttemptFactory): Promise<void> {
    const attempts = await createAttempts(limits, 3);
    const [first, second, third] = attempts as [Attempt, Attempt, Attempt];
    const { used: before } = await limits.readUsage(metric);
    const allow = (more: number) => limits.setLimits({ [metric]: before + more });
    await allow(0);
    expect(await first()).toBe(false);
    await allow(1);
    expect(await first()).toBe(true);
    expect(await second()).toBe(false);
    expect(await limits.readUsage(metric)).toEqual({ used: before + 1, allowed: before + 1 });
    await allow(2);
    expect(await second()).toBe(true);
    await allow(1);
    expect(await third()).toBe(false);
    expect(await limits.readUsage(metric)).toEqual({ used: before + 2, allowed: before + 1 });
    await limits.setLimits({});
    expect(await third()).toBe(true);
    expect(await limits.readUsage(metric)).toEqual({ used: before + 3, allowed: null });
  }

  const edges = 'by %s: at the limit, one above it, and when it is raised, lowered and removed';
  it.each(table(zoneAttempts))(`holds for zones ${edges}`, (_, createAttempts) => expectLimit('zones', createAttempts));
  it.each(table(membershipAttempts))(`holds for people ${edges}`, (_, createAttempts) =>
    expectLimit('people', createAttempts),
  );
  it.each(table(storageAttempts))(`holds for bytes ${edges}`, (_, createAttempts) =>
    expectLimit('bytes', createAttempts),
  );
  it.each(table({ ...emailAttempts, ...deferredEmailAttempts }))(`holds for emails ${edges}`, (_, createAttempts) =>
    expectLimit('mails', createAttempts),
  );

  const CROWD = fullOrShort(50, 15);

  describe(`under ${CROWD} concurrent attempts`, () => {
    const FREE_UNITS = 7;

    /** Of concurrent attempts, exactly as many succeed as the limit allows. */
    async function expectLimitUnderConcurrency(metric: LimitedMetric, createAttempts: AttemptFactory): Promise<void> {
      const attempts = await createAttempts(limits, CROWD);
      const { used: before } = await limits.readUsage(metric);
      await limits.setLimits({ [metric]: before + FREE_UNITS });
      const results = await Promise.all(attempts.map((attempt) => attempt()));
      expect(results.filter(Boolean)).toHaveLength(FREE_UNITS);
      expect(await limits.readUsage(metric)).toEqual({ used: before + FREE_UNITS, allowed: before + FREE_UNITS });
    }

    it.each(table(zoneAttempts))('holds for creating %s', (_, createAttempts) =>
      expectLimitUnderConcurrency('zones', createAttempts),
    );
    it.each(table(membershipAttempts))('holds for joining by %s', (_, createAttempts) =>
      expectLimitUnderConcurrency('people', createAttempts),
    );
    it.each(table(storageAttempts))('holds for storing by %s', (_, createAttempts) =>
      expectLimitUnderConcurrency('bytes', createAttempts),
    );
    it.each(table(emailAttempts))('holds for sending %s', (_, createAttempts) =>
      expectLimitUnderConcurrency('mails', createAttempts),
    );

    it('holds for sending emails while the limit changes', async () => {
      const attempts = await emailAttempts['a draft that is sent']!(limits, CROWD);
      await limits.setLimits({ mails: 5 });
      const change = async () => {
        for (const mails of [1, 9, 3, 9]) await limits.setLimits({ mails });
      };
      const [results] = await Promise.all([Promise.all(attempts.map((attempt) => attempt())), change()]);
      const sent = results.filter(Boolean).length;
      expect(sent).toBeLessThanOrEqual(9);
      expect(await limits.readUsage('mails')).toEqual({ used: sent, allowed: 9 });
    });
  });

  it('counts emails by month, starting each month at zero', async () => {
    const [first, second, third] = await emailAttempts['a draft that is sent']!(limits, 3);
    await limits.setLimits({ mails: 1 });
    expect(await first!()).toBe(true);
    expect(await second!()).toBe(false);
    const { clock } = limits.world.testApp;
    const now = clock.now();
    clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime());
    expect(await limits.readUsage('mails')).toEqual({ used: 0, allowed: 1 });
    expect(await second!()).toBe(true);
    expect(await third!()).toBe(false);
    expect(await limits.readUsage('mails')).toEqual({ used: 1, allowed: 1 });
  });

  it.each<[string, (name: string, bytes: number) => Promise<boolean>]>([
    [
      'an upload in one request',
      (name, bytes) =>
        hasSucceeded(postFiles(limits.owner.client, limits.zone.id, [{ name, body: Buffer.alloc(bytes) }])),
    ],
    ['an upload in chunks', (name, bytes) => hasSucceeded(postUpload(limits.owner.client, limits.zone, name, bytes))],
  ])('holds for %s to the last byte', async (_, add) => {
    await limits.setLimits({ bytes: 1000 });
    expect(await add('whole', 1001)).toBe(false);
    expect(await add('exact', 1000)).toBe(true);
    expect(await add('over', 1)).toBe(false);
    expect(await limits.readUsage('bytes')).toEqual({ used: 1000, allowed: 1000 });
  });

  it('counts bytes in the trash, so that items can be restored on a full plan', async () => {
    const restore = await trashFile(limits, 'kept', 1000);
    await limits.setLimits({ bytes: 10 });
    expect(await limits.readUsage('bytes')).toEqual({ used: 1000, allowed: 10 });
    expect(await hasSucceeded(postUpload(limits.owner.client, limits.zone, 'new', 1))).toBe(false);
    await restore();
    expect(await limits.readUsage('bytes')).toEqual({ used: 1000, allowed: 10 });
  });
});
