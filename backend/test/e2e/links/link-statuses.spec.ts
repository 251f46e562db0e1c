import { AppError } from '../../../src/platform/errors/app-error.js';
import { PrerenderRegistry } from '../../../src/platform/http/page/prerender-registry.js';
import { createZone, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import { inviteNewAddress } from '../../support/people/invitations.js';
import { describeInProcess, World } from '../../support/world.js';
import { joinByLink, createLink } from './link-helpers.js';

let world: World;
let owner: Actor;
let zone: TestZone;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  owner = await registerUser(world);
});
afterAll(() => world.close());

const run = (sql: string, id: number) => world.testApp.em().execute(`${sql} returning id`, [id]);
const deactivateOwner = () => run('update users set deactivated_at = now() where id = ?', owner.id);

/** The HTTP status of a page, which is server-rendered or only looked up. */
async function statusOfPage(path: string): Promise<number> {
  const facts = world.testApp.app.get(PrerenderRegistry);
  const found = facts.findPages(path);
  try {
    await (found ? found.pages.loadResponse(found.name, 'en', '203.0.113.9') : facts.checkStatus(path, '203.0.113.9'));
    return 200;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.status;
  }
}

/** The responses of page and API to a link; holders of only the link must learn nothing else about the zone. */
async function getStatuses(page: string, api: string): Promise<object> {
  const { status, body, text } = await world.createClient().get(api);
  expect(await statusOfPage(page)).toBe(status);
  expect(await statusOfPage(`${page}/`)).toBe(status);
  if (status !== 200) expect(text).not.toContain(zone.name);
  return { status, ...(status === 200 ? {} : { code: body.code, message: body.message }) };
}

describeInProcess('Status of a shared URL', () => {
  const ofZone = (link = zone.publicLink) => getStatuses(`/join/${link}`, `/api/public-zones/${link}`);

  it.each<[string, () => PromiseLike<unknown>]>([
    ['private', () => owner.client.patch(`/api/zones/${zone.id}`).send({ type: 'private' }).expect(200)],
    ['deleted', () => run('update zones set deleted_at = now() where id = ?', zone.id)],
    ['owned by a deactivated user', () => deactivateOwner()],
  ])('equals that of an unknown link if the zone is %s', async (_, end) => {
    zone = await createZone(owner);
    const unknown = await ofZone('no-such-link');
    expect(unknown).toMatchObject({ status: 404, code: 'LINK_NOT_FOUND' });
    expect(await ofZone()).toEqual({ status: 200 });
    await end();
    expect(await ofZone()).toEqual(unknown);
  });

  it.each([
    ['paused', 404, 'update temporary_links set is_active = false where id = ?'],
    ['expired', 410, `update temporary_links set expires_at = now() - interval '1 year' where id = ?`],
  ])('if a temporary link is %s: %s', async (_, status, sql) => {
    zone = await createZone(owner, { type: 'private' });
    const { id, token } = await createLink({ owner, zone });
    const ofLink = () => getStatuses(`/zone/temp/${token}`, `/api/temporary-links/${token}`);
    expect(await ofLink()).toEqual({ status: 200 });
    await run(sql, id);
    expect(await ofLink()).toMatchObject({ status });
    await run('update zones set deleted_at = now() where id = ?', zone.id);
    expect(await ofLink()).toMatchObject({ status: 404, code: 'LINK_NOT_FOUND' });
  });

  it('is 410 for a used-up link, and a link with a password reveals nothing about the zone', async () => {
    zone = await createZone(owner, { type: 'private' });
    await owner.client.patch(`/api/zones/${zone.id}`).send({ description: 'Glazes and kilns' }).expect(200);
    const link = await createLink({ owner, zone }, { maxUses: 1, password: 'tulips' });
    const path = `/api/temporary-links/${link.token}`;
    expect(JSON.stringify((await world.createClient().get(path).expect(200)).body)).not.toContain('kilns');
    const member = await registerUser(world);
    await joinByLink(member.client, link, member.email, { password: 'tulips' }).expect(200);
    const full = await getStatuses(`/zone/temp/${link.token}`, path);
    expect(full).toMatchObject({ status: 410, code: 'LINK_MAX_USES' });
  });

  it.each([
    ['revoked', 'delete from invitations where zone_id = ?'],
    ['expired', `update invitations set expires_at = now() - interval '1 year' where zone_id = ?`],
    ['for a deleted zone', 'update zones set deleted_at = now() where id = ?'],
  ])('equals that of an unknown invitation if it is %s', async (_, sql) => {
    zone = await createZone(owner, { type: 'private' });
    const { token } = await inviteNewAddress(world, zone, owner);
    const ofInvitation = (at = token) => getStatuses(`/invite/${at}`, `/api/invite/${at}`);
    const unknown = await ofInvitation('no-such-token');
    expect(unknown).toMatchObject({ status: 404, code: 'INVITATION_INVALID' });
    expect(await ofInvitation()).toEqual({ status: 200 });
    await run(sql, zone.id);
    expect(await ofInvitation()).toEqual(unknown);
  });

  it('reports acceptance of an invitation until the member is removed', async () => {
    zone = await createZone(owner, { type: 'private' });
    const { token, email } = await inviteNewAddress(world, zone, owner);
    await world.createClient().post('/api/accept-invite').send({ token, email, emailConsent: true }).expect(200);
    const ofInvitation = () => getStatuses(`/invite/${token}`, `/api/invite/${token}`);
    expect(await ofInvitation()).toEqual({ status: 200 });
    await run('delete from zone_members where zone_id = ?', zone.id);
    expect(await ofInvitation()).toMatchObject({ status: 404 });
  });
});
