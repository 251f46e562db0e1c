import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupService } from '../../../src/modules/admin/users/setup/setup.service.js';
import { PasswordHashService } from '../../../src/modules/auth/passwords/password-hash.service.js';
import type { ConcurrencyLimiter } from '../../../src/platform/http/limits/concurrency-limiter.js';
import {
  waitForCode,
  reauthenticateByEmail,
  createZone,
  PASSWORD,
  registerUser,
  uniqueName,
} from '../../support/people/actors.js';
import { inviteNewAddress } from '../../support/people/invitations.js';
import { joinAsRestrictedUser } from '../../support/people/restricted-user.js';
import { describeInProcess, World } from '../../support/world.js';
import { requestPasswordReset } from '../auth/account-helpers.js';
import { createFolder, uploadFile } from '../files/upload/multipart-helpers.js';
import { joinByLink, createLink, createPrivateZone } from '../links/link-helpers.js';

type PendingResponse = PromiseLike<{ status: number; body: { code?: string } }>;

const NEW = 'three tall lanterns';
/** These call a provider that isn't part of this suite, or are busy for another reason; other suites cover them. */
const ELSEWHERE = ['POST /api/check-password', 'POST /api/single-sign-on/link'];

/** Routes that document `SERVER_BUSY`. */
function listDocumentedRoutes(): string[] {
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

describeInProcess('Full hash queue', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open();
  });
  afterAll(() => world.close());

  /** Creates the required data and returns a valid request for each route. */
  async function routes(): Promise<Record<string, () => PendingResponse>> {
    const ada = await registerUser(world);
    const stage = await createPrivateZone(world);
    const link = await createLink(stage, { password: 'a word for a link' });
    const zone = await createZone(ada);
    const names = { firstName: 'Zoe', lastName: 'Newman' };
    const profile = { ...names, newPassword: NEW };
    const email = `${uniqueName('new')}@example.com`;
    await world.createClient().post('/api/send-verification').send({ email }).expect(200);
    const form = {
      email,
      password: NEW,
      ...names,
      username: uniqueName('zoe'),
      verificationCode: await waitForCode(world, email),
    };
    const token = await requestPasswordReset(world, ada.email);
    const half = `${uniqueName('half')}@example.com`;
    const unfinished = await joinAsRestrictedUser(world, zone, half);
    await reauthenticateByEmail(world, unfinished, half);
    const { email: guest, token: invitation, password } = await inviteNewAddress(world, zone, ada);
    const accepting = { token: invitation, email: guest, password, emailConsent: true, ...profile };
    const key = await world.testApp.app.get(SetupService).issueKey();
    const first = {
      key,
      email: `${uniqueName('first')}@example.com`,
      password: NEW,
      ...names,
      username: uniqueName('first'),
    };
    const owner = stage.owner.client;
    const folderPath = `/api/folders/${await createFolder(owner, stage.zone.id, 'Folder')}`;
    const file = await uploadFile(owner, stage.zone.id, 'a.txt', 'words');
    const { body: itemLink } = await owner
      .post(`/api/files/${file.id}/links`)
      .send({ name: 'Link', password: 'a word for a link' })
      .expect(201);
    const newItemLink = { name: 'Link', password: 'another word' };
    return {
      'POST /api/register': () => world.createClient().post('/api/register').send(form),
      'POST /api/setup': () => world.createClient().post('/api/setup').send(first),
      'POST /api/login': () => world.createClient().post('/api/login').send({ email: ada.email, password: PASSWORD }),
      'POST /api/reset-password': () => world.createClient().post('/api/reset-password').send({ token, password: NEW }),
      'POST /api/change-password': () =>
        ada.client.post('/api/change-password').send({ email: ada.email, currentPassword: PASSWORD, newPassword: NEW }),
      'POST /api/complete-profile': () =>
        unfinished.post('/api/complete-profile').send({ email: half, ...profile, username: uniqueName('half') }),
      'POST /api/user/confirm': () => ada.client.post('/api/user/confirm').send({ password: PASSWORD }),
      'POST /api/user/email': () => ada.client.post('/api/user/email').send({ email: guest, password: PASSWORD }),
      'DELETE /api/user': () => ada.client.delete('/api/user').send({ password: PASSWORD }),
      'POST /api/accept-invite': () =>
        world
          .createClient()
          .post('/api/accept-invite')
          .send({ ...accepting, username: uniqueName('guest') }),
      'POST /api/zones/{id}/temporary-links': () =>
        owner
          .post(`/api/zones/${stage.zone.id}/temporary-links`)
          .send({ name: 'Link', expiresInHours: 48, password: 'another word' }),
      'PATCH /api/temporary-links/{id}': () =>
        owner.patch(`/api/temporary-links/${link.id}`).send({ password: 'another word' }),
      'POST /api/files/{id}/links': () => owner.post(`/api/files/${file.id}/links`).send(newItemLink),
      'POST /api/folders/{id}/links': () => owner.post(`${folderPath}/links`).send(newItemLink),
      'PATCH /api/item-links/{id}': () =>
        owner.patch(`/api/item-links/${itemLink.id}`).send({ password: 'other word' }),
      'POST /api/shared/{token}/enter': () =>
        world.createClient().post(`/api/shared/${itemLink.token}/enter`).send({ password: 'a word for a link' }),
      'POST /api/temporary-links/{token}/join': () =>
        joinByLink(world.createClient(), link, `${uniqueName('joins')}@example.com`, { password: 'a word for a link' }),
    };
  }

  it('makes every hashing route return SERVER_BUSY, as its API description says', async () => {
    const requests = await routes();
    const { limiter } = world.testApp.app.get(PasswordHashService) as unknown as {
      limiter: ConcurrencyLimiter;
    };
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const before = Promise.all(Array.from({ length: 2 + 32 }, () => limiter.run(() => gate)));
    const results: Record<string, unknown> = {};
    for (const [route, send] of Object.entries(requests)) {
      const { status, body } = await send();
      results[route] = [status, body.code];
    }
    open();
    await before;
    expect(results).toEqual(Object.fromEntries(Object.keys(requests).map((route) => [route, [503, 'SERVER_BUSY']])));
    expect(listDocumentedRoutes().sort()).toEqual([...Object.keys(requests), ...ELSEWHERE].sort());
  });
});
