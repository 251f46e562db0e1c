import { createHmac } from 'node:crypto';
import supertest from 'supertest';
import { SignedUrlService } from '../../../src/modules/files/reading/signed-url.service.js';
import { LeavingService } from '../../../src/modules/zones/leaving/leaving.service.js';
import { SuppressionRepository } from '../../../src/modules/zones/leaving/suppression.repository.js';
import { UnsubscribeLinkService } from '../../../src/modules/zones/leaving/unsubscribe-link.service.js';
import { VerificationCodeService } from '../../../src/modules/auth/registration/verification-code.service.js';
import { HOUR, MINUTE } from '../../../src/platform/clock/clock.js';
import { RateLimitService } from '../../../src/platform/http/limits/rate-limit.service.js';
import {
  createZone,
  joinPublicZone,
  PASSWORD,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { enrolAuthenticator } from '../../support/people/authenticator.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { describeInProcess, World } from '../../support/world.js';
import { uploadFile } from '../files/upload/multipart-helpers.js';

const OLD = 'the secret of all this time that is long enough';
const NEW = 'the secret that comes after it and is long enough';

describeInProcess('Rotation of APP_SECRET', () => {
  let world: World;
  /** The same installation, restarted with another secret. */
  const others: TestApp[] = [];
  let changed: TestApp;
  let owner: Actor;
  let member: Actor;
  let zone: TestZone;

  beforeAll(async () => {
    world = await World.open({ APP_SECRET: OLD, RATE_LIMIT: 'on' });
    changed = await startAgain(`${NEW},${OLD}`);
    owner = await registerUser(world);
    member = await registerUser(world);
    zone = await createZone(owner);
    await joinPublicZone(zone, member);
  });
  afterAll(async () => {
    for (const app of others) await app.close();
    await world.close();
  });

  async function startAgain(secret: string): Promise<TestApp> {
    const { config, connection } = world.testApp;
    const storage = { STORAGE_URL: config.storageUrl };
    const app = await createTestApp({ APP_SECRET: secret, RATE_LIMIT: 'on', ...storage }, [], connection);
    others.push(app);
    return app;
  }

  const signWithUndividedSecret = (...parts: (string | number)[]) =>
    createHmac('sha256', OLD).update(parts.join('\n')).digest('hex');
  const suppressed = (app: TestApp, email: string) =>
    app.app.get(SuppressionRepository).findSuppressed(app.em(), owner.id, [email]);

  it('keeps unsubscribe links valid, including those of the previous version', async () => {
    const link = { userId: member.id, zoneId: zone.id };
    const before = world.testApp.app.get(UnsubscribeLinkService).createToken(link);
    const parts = before.split('-').slice(0, 2).join('-');
    const earlier = `${parts}-${signWithUndividedSecret('unsubscribe', member.id, zone.id).slice(0, 32)}`;
    const links = changed.app.get(UnsubscribeLinkService);
    expect(links.createToken(link)).not.toBe(before);
    for (const token of [before, earlier, links.createToken(link)]) {
      await supertest(changed.url).get(`/api/unsubscribe/${token}`).expect(302);
      expect(links.parseToken(token)).toEqual(link);
    }
    const alone = await startAgain(NEW);
    for (const token of [before, earlier]) expect(alone.app.get(UnsubscribeLinkService).parseToken(token)).toBeNull();
  });

  it('keeps addresses suppressed and adds none twice', async () => {
    const [recorded, earlier, later] = ['noted', 'earlier', 'later'].map((name) => `${uniqueName(name)}@example.com`);
    const { app, em } = world.testApp;
    await app.get(SuppressionRepository).addSuppression(em(), owner.id, recorded!, 'complaint');
    await em().execute(`insert into suppressions (digest, reason, created_at) values (?, 'erased', now())`, [
      signWithUndividedSecret('suppression', earlier!),
    ]);
    await changed.app.get(SuppressionRepository).addSuppression(changed.em(), owner.id, later!, 'failed');
    for (const email of [recorded!, earlier!, later!])
      expect(await suppressed(changed, email)).toEqual(new Set([email]));
    expect(await suppressed(changed, `${uniqueName('other')}@example.com`)).toEqual(new Set());

    const count = async () => {
      const rows = await em().execute<{ n: number }[]>('select count(*)::int n from suppressions');
      return rows[0]!.n;
    };
    const before = await count();
    await changed.app.get(SuppressionRepository).addSuppression(changed.em(), owner.id, recorded!, 'failed');
    await changed.app.get(SuppressionRepository).addSuppression(changed.em(), null, earlier!, 'failed');
    expect(await count()).toBe(before);

    await changed.app.get(SuppressionRepository).liftErasedQuery(changed.em(), earlier!).execute();
    expect(await suppressed(changed, earlier!)).toEqual(new Set());
  });

  it('finds members suppressed under the older secret', async () => {
    const { app, em } = world.testApp;
    await app.get(LeavingService).handleComplaint(em(), { userId: member.id, zoneId: zone.id, ownerId: owner.id });
    const isSuppressed = await changed.app.get(SuppressionRepository).createSuppressionCheck(changed.em(), owner.id);
    expect(isSuppressed?.(owner.email)).toBe(false);
    expect(isSuppressed?.(member.email)).toBe(true);
  });

  it('keeps codes already sent valid', async () => {
    const email = `${uniqueName('code')}@example.com`;
    const code = await world.testApp.app.get(VerificationCodeService).issueCode(email, 'register');
    const codes = changed.app.get(VerificationCodeService);
    await expect(codes.verifyCode(email, 'register', code === '000000' ? '000001' : '000000')).rejects.toThrow();
    await expect(codes.verifyCode(email, 'register', code)).resolves.toEqual(expect.any(Number));
  });

  it('keeps authenticator apps usable and re-encrypts them at the first code', async () => {
    const ada = await registerUser(world);
    const { app, recoveryCodes } = await enrolAuthenticator(world, ada.client);
    const signIn = async (at: TestApp, proof: () => object) => {
      const browser = supertest.agent(at.url).set('Sec-Fetch-Site', 'same-origin');
      await browser.post('/api/login').send({ email: ada.email, password: PASSWORD }).expect(200);
      const submittedProof = proof();
      at.clock.advance(world.testApp.clock.now().getTime() - at.clock.now().getTime());
      return (await browser.post('/api/login/factor').send(submittedProof)).status;
    };
    const readEncryptedSecret = async () =>
      (await world.testApp.em().execute('select secret from authenticators where user_id = ?', [ada.id])) as object[];
    const before = await readEncryptedSecret();
    const alone = await startAgain(NEW);
    expect(await signIn(alone, () => ({ code: app.nextCode() }))).toBe(400);
    expect(await readEncryptedSecret()).toEqual(before);
    expect(await signIn(changed, () => ({ code: app.nextCode() }))).toBe(200);
    expect(await readEncryptedSecret()).not.toEqual(before);
    expect(await signIn(alone, () => ({ code: app.nextCode() }))).toBe(200);
    expect(await signIn(changed, () => ({ recoveryCode: recoveryCodes[0] }))).toBe(200);
    expect(await signIn(alone, () => ({ recoveryCode: recoveryCodes[1] }))).toBe(400);
  });

  it('keeps rate limits used up', async () => {
    const rule = { name: 'test-rule', limit: 3, window: HOUR };
    const subject = uniqueName('subject');
    const [before, after] = [world.testApp.app.get(RateLimitService), changed.app.get(RateLimitService)];
    await before.consume(rule, subject);
    await before.consume(rule, subject);
    await after.consume(rule, subject);
    await expect(after.consume(rule, subject)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    const usedSubject = uniqueName('subject');
    await before.consume(rule, usedSubject, 2);
    expect((await after.consumeUpTo(rule, usedSubject, 3)).granted).toBe(1);
    await after.reset(rule, subject);
    await expect(after.consume(rule, subject)).resolves.toBeUndefined();
  });

  describe('file URLs', () => {
    let fileId: number;
    beforeAll(async () => {
      fileId = (await uploadFile(owner.client, zone.id, uniqueName('file'), 'some text')).id;
    });

    const open = (app: TestApp, address: string) => {
      const { pathname, search } = new URL(address);
      return supertest(app.url).get(pathname + search);
    };
    const issueUrl = (app: TestApp, kind: 'view' | 'download' = 'download') =>
      app.app.get(SignedUrlService).createUrl(fileId, owner.id, kind).url;

    it('work across the rotation and fail once their secret is removed', async () => {
      const before = issueUrl(world.testApp);
      await open(changed, before).expect(200);
      await open(changed, issueUrl(changed)).expect(200);
      await open(world.testApp, issueUrl(changed)).expect(403);
      await open(await startAgain(NEW), before).expect(403);
    });

    /** A URL that an attacker with the key would forge. */
    const forgeUrl = (lifetime: number, kind: 'v' | '' = '') => {
      const token = `${owner.id}.${changed.clock.now().getTime() + lifetime}${kind}`;
      const signature = changed.config.keys.forPurpose('file-address').digest(String(fileId), token);
      return `http://x/api/files/${fileId}/content?token=${token}.${signature}`;
    };

    it('last at most five minutes, or an hour for viewing, whatever they claim', async () => {
      await open(changed, forgeUrl(4 * MINUTE)).expect(200);
      await open(changed, forgeUrl(59 * MINUTE, 'v')).expect(200);
      for (const lifetime of [6 * MINUTE, 24 * HOUR, 365 * 24 * HOUR, 100_000 * HOUR]) {
        await open(changed, forgeUrl(lifetime)).expect(403);
      }
      await open(changed, forgeUrl(62 * MINUTE, 'v')).expect(403);
    });

    it('signed with the underived secret are rejected', async () => {
      const token = `${owner.id}.${world.testApp.clock.now().getTime() + MINUTE}`;
      const address = `http://x/api/files/${fileId}/content?token=${token}.${signWithUndividedSecret('file-address', fileId, token)}`;
      await open(world.testApp, address).expect(403);
    });
  });
});
