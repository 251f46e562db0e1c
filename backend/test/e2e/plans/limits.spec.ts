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

  const table = (ways: Record<string, AttemptFactory>) => Object.entries(ways);

  /** The last unit, one too many, one more after the limit is raised, none after it is lowered; 0 allows none. */
  async function holdsFor(metric: LimitedMetric, way: AttemptFactory): Promise<void> {
    const attempts = await way(limits, 3);
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

  const edges = 'holds for %s: the last place, one over, after more and less, and without one';
  it.each(table(zoneAttempts))(`for zones ${edges}`, (_, way) => holdsFor('zones', way));
  it.each(table(membershipAttempts))(`for people ${edges}`, (_, way) => holdsFor('people', way));
  it.each(table(storageAttempts))(`for bytes ${edges}`, (_, way) => holdsFor('bytes', way));
  it.each(table({ ...emailAttempts, ...deferredEmailAttempts }))(`for mails ${edges}`, (_, way) =>
    holdsFor('mails', way),
  );

  const CROWD = fullOrShort(50, 15);

  describe(`holds for ${CROWD} concurrent attempts`, () => {
    const PLACES = 7;

    /** Of concurrent attempts, exactly as many succeed as the limit allows. */
    async function holdsAtOnce(metric: LimitedMetric, way: AttemptFactory): Promise<void> {
      const attempts = await way(limits, CROWD);
      const { used: before } = await limits.readUsage(metric);
      await limits.setLimits({ [metric]: before + PLACES });
      const results = await Promise.all(attempts.map((attempt) => attempt()));
      expect(results.filter(Boolean)).toHaveLength(PLACES);
      expect(await limits.readUsage(metric)).toEqual({ used: before + PLACES, allowed: before + PLACES });
    }

    it.each(table(zoneAttempts))('to create %s', (_, way) => holdsAtOnce('zones', way));
    it.each(table(membershipAttempts))('to join by %s', (_, way) => holdsAtOnce('people', way));
    it.each(table(storageAttempts))('to store by %s', (_, way) => holdsAtOnce('bytes', way));
    it.each(table(emailAttempts))('to send %s', (_, way) => holdsAtOnce('mails', way));

    it('to send emails while the limit changes', async () => {
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
    ['an upload in pieces', (name, bytes) => hasSucceeded(postUpload(limits.owner.client, limits.zone, name, bytes))],
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
