import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupService } from '../../../src/modules/admin/users/setup/setup.service.js';
import { PasswordHashService } from '../../../src/modules/auth/passwords/password-hash.service.js';
import type { ConcurrencyLimiter } from '../../../src/platform/http/limits/concurrency-limiter.js';
import { codeFor, confirmByMail, createZone, PASSWORD, register, unique } from '../../support/people/actors.js';
import { invited } from '../../support/people/invited.js';
import { newcomer } from '../../support/people/newcomer.js';
import { describeInProcess, World } from '../../support/world.js';
import { askForReset } from '../auth/accounts.js';
import { joinBy, makeLink, privateStage } from '../links/links-world.js';

type Answer = PromiseLike<{ status: number; body: { code?: string } }>;

const NEW = 'three tall lanterns';
/** Asked of a provider that is no part of this suite, or busy for another reason; held by suites of their own. */
const ELSEWHERE = ['POST /api/check-password', 'POST /api/single-sign-on/link'];

/** The routes whose contract names SERVER_BUSY. */
function documented(): string[] {
  const file = join(import.meta.dirname, '../../../../openapi.json');
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, { responses: Record<string, object> }>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => JSON.stringify(responses['503'] ?? {}).includes('SERVER_BUSY'))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
}

describeInProcess('while too many hashes wait', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open();
  });
  afterAll(() => world.close());

  /** Everything that has to be there before, and then each route with a request that would be answered otherwise. */
  async function routes(): Promise<Record<string, () => Answer>> {
    const ada = await register(world);
    const stage = await privateStage(world);
    const link = await makeLink(stage, { password: 'a word for a link' });
    const zone = await createZone(ada);
    const names = { firstName: 'Zoe', lastName: 'Newman' };
    const profile = { ...names, newPassword: NEW };
    const email = `${unique('new')}@example.com`;
    await world.client().post('/api/send-verification').send({ email }).expect(200);
    const form = {
      email,
      password: NEW,
      ...names,
      username: unique('zoe'),
      verificationCode: await codeFor(world, email),
    };
    const token = await askForReset(world, ada.email);
    const half = `${unique('half')}@example.com`;
    const unfinished = await newcomer(world, zone, half);
    await confirmByMail(world, unfinished, half);
    const { email: guest, token: invitation, password } = await invited(world, zone, ada);
    const accepting = { token: invitation, email: guest, password, emailConsent: true, ...profile };
    const key = await world.inside.app.get(SetupService).issueKey();
    const first = { key, email: `${unique('first')}@example.com`, password: NEW, ...names, username: unique('first') };
    const owner = stage.owner.client;
    return {
      'POST /api/register': () => world.client().post('/api/register').send(form),
      'POST /api/setup': () => world.client().post('/api/setup').send(first),
      'POST /api/login': () => world.client().post('/api/login').send({ email: ada.email, password: PASSWORD }),
      'POST /api/reset-password': () => world.client().post('/api/reset-password').send({ token, password: NEW }),
      'POST /api/change-password': () =>
        ada.client.post('/api/change-password').send({ email: ada.email, currentPassword: PASSWORD, newPassword: NEW }),
      'POST /api/complete-profile': () =>
        unfinished.post('/api/complete-profile').send({ email: half, ...profile, username: unique('half') }),
      'POST /api/user/confirm': () => ada.client.post('/api/user/confirm').send({ password: PASSWORD }),
      'POST /api/user/email': () => ada.client.post('/api/user/email').send({ email: guest, password: PASSWORD }),
      'DELETE /api/user': () => ada.client.delete('/api/user').send({ password: PASSWORD }),
      'POST /api/accept-invite': () =>
        world
          .client()
          .post('/api/accept-invite')
          .send({ ...accepting, username: unique('guest') }),
      'POST /api/zones/{id}/temporary-links': () =>
        owner
          .post(`/api/zones/${stage.zone.id}/temporary-links`)
          .send({ name: 'Link', expiresInHours: 48, password: 'another word' }),
      'PATCH /api/temporary-links/{id}': () =>
        owner.patch(`/api/temporary-links/${link.id}`).send({ password: 'another word' }),
      'POST /api/temporary-links/{token}/join': () =>
        joinBy(world.client(), link, `${unique('joins')}@example.com`, { password: 'a word for a link' }),
    };
  }

  it('each route that hashes asks to come again, and its contract says that it may', async () => {
    const asked = await routes();
    const { limiter: turns } = world.inside.app.get(PasswordHashService) as unknown as { limiter: ConcurrencyLimiter };
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const before = Promise.all(Array.from({ length: 2 + 32 }, () => turns.run(() => gate)));
    const answers: Record<string, unknown> = {};
    for (const [route, ask] of Object.entries(asked)) {
      const { status, body } = await ask();
      answers[route] = [status, body.code];
    }
    open();
    await before;
    expect(answers).toEqual(Object.fromEntries(Object.keys(asked).map((route) => [route, [503, 'SERVER_BUSY']])));
    expect(documented().sort()).toEqual([...Object.keys(asked), ...ELSEWHERE].sort());
  });
});
