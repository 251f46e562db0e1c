import { UnsubscribeLinkService } from '../../src/modules/zones/unsubscribe-link.service.js';
import { createZone, join, people, register, unique, type Actor, type TestZone } from '../support/actors.js';
import { describeInProcess, World } from '../support/world.js';
import { send } from './files-forms.js';
import { begin } from './files-tus.js';
import { ADD, sendFile } from './import-world.js';
import { joinBy, makeLink } from './links-world.js';

interface Stage {
  readonly owner: Actor;
  /** Public, admitting at once. */
  readonly zone: TestZone;
}

/** Tries to add one more. @returns whether that came about */
type Attempt = () => Promise<boolean>;
interface Answer {
  readonly status: number;
  readonly body: { readonly code?: string; readonly results?: { readonly status: string }[] };
}

const someone = () => `${unique('someone')}@example.com`;
const refusals = ['PLAN_LIMIT', 'ZONE_FULL'];

describeInProcess('a limit of the plan', () => {
  let world: World;
  let admin: Actor;
  let stage: Stage;

  beforeAll(async () => {
    world = await World.open();
    admin = await register(world);
    await world.inside.em().execute('update users set is_super_admin = true where id = ?', [admin.id]);
  });
  beforeEach(async () => {
    const owner = await register(world);
    await allow(owner, {});
    stage = { owner, zone: await createZone(owner) };
  });
  afterAll(() => world.close());

  /** Agrees on limits; what is left out has none. */
  const allow = (owner: Actor, limits: object) =>
    admin.client.patch(`/api/admin/users/${owner.id}/plan`).send({ plan: 'enterprise', limits }).expect(200);
  const usage = async (metric: string) => {
    const { body } = await stage.owner.client.get('/api/user/usage').expect(200);
    const { used, allowed } = (body as { metric: string; used: number; allowed: number }[]).find(
      (row) => row.metric === metric,
    )!;
    return { used, allowed };
  };
  const cameAbout = async (request: PromiseLike<Answer>): Promise<boolean> => {
    const { status, body } = await request;
    if (status < 300) return true;
    expect([status, refusals.includes(body.code ?? '')]).toEqual([403, true]);
    return false;
  };
  const rowsOf = async (request: PromiseLike<Answer>, good: string): Promise<boolean> => {
    const { status, body } = await request;
    const [row] = body.results!;
    expect([status, [good, 'PLAN_LIMIT'].includes(row!.status)]).toEqual([200, true]);
    return row!.status === good;
  };
  const joinPublic = (zone: TestZone, { client, email }: Actor) =>
    client.post(`/api/public-zones/${zone.publicLink}/join`).send({ email, emailConsent: true });
  const three = <T>(make: (n: number) => T): T[] => [0, 1, 2].map(make);

  /** Every way in which somebody comes into an owner's audience, with three who try it. */
  const waysIn: Record<string, (stage: Stage) => Promise<Attempt[]>> = {
    'the public link': async ({ zone }) =>
      (await people(world, 3)).map((actor) => () => cameAbout(joinPublic(zone, actor))),

    'a temporary link': async ({ owner }) => {
      const zone = await createZone(owner, { type: 'private' });
      const link = await makeLink({ owner, zone });
      return (await people(world, 3)).map(
        ({ client, email }) =>
          () =>
            cameAbout(joinBy(client, link, email)),
      );
    },

    'the approval of a request': async ({ owner }) => {
      const zone = await createZone(owner, { autoJoin: false });
      for (const actor of await people(world, 3)) await joinPublic(zone, actor).expect(200);
      const path = `/api/zones/${zone.id}/join-requests`;
      const { body } = await owner.client.get(path).expect(200);
      return (body as { id: number }[]).map(
        ({ id }) =>
          () =>
            cameAbout(owner.client.post(`${path}/${id}/approve`)),
      );
    },

    'an invitation': ({ owner, zone }) =>
      Promise.resolve(
        three(someone).map((email) => () => {
          const request = owner.client.post(`/api/zones/${zone.id}/invite`).send({ emails: [email] });
          return rowsOf(request, 'INVITED');
        }),
      ),

    'an import that adds': ({ owner, zone }) =>
      Promise.resolve(
        three(someone).map((email) => () => rowsOf(sendFile(owner.client, zone, `email\n${email}`, ADD), 'ADDED')),
      ),

    'an import that invites': ({ owner, zone }) =>
      Promise.resolve(
        three(someone).map((email) => () => rowsOf(sendFile(owner.client, zone, `email\n${email}`), 'INVITED')),
      ),

    'taking back an unsubscribe': async ({ zone }) => {
      const readers = await people(world, 3);
      for (const reader of readers) await join(zone, reader);
      const links = world.inside.app.get(UnsubscribeLinkService);
      const paths = readers.map(({ id }) => `/api/unsubscribe/${links.token({ userId: id, zoneId: zone.id })}`);
      for (const path of paths) await world.client().post(path).expect(200);
      return paths.map((path) => () => cameAbout(world.client().post(`${path}/undo`)));
    },
  };

  it.each(Object.keys(waysIn))(
    'for people holds for %s: the last place, one over, after more and less',
    async (way) => {
      const [first, second, third] = (await waysIn[way]!(stage)) as [Attempt, Attempt, Attempt];
      await allow(stage.owner, { people: 1 });
      expect(await first()).toBe(true);
      expect(await second()).toBe(false);
      expect(await usage('people')).toEqual({ used: 1, allowed: 1 });
      await allow(stage.owner, { people: 2 });
      expect(await second()).toBe(true);
      await allow(stage.owner, { people: 1 });
      expect(await third()).toBe(false);
      expect(await usage('people')).toEqual({ used: 2, allowed: 1 });
    },
  );

  const upload = (name: string, bytes: number) =>
    cameAbout(send(stage.owner.client, stage.zone.id, [{ name, body: Buffer.alloc(bytes) }]));
  const beginUpload = (name: string, bytes: number) => cameAbout(begin(stage.owner.client, stage.zone, name, bytes));

  it.each([
    ['an upload in one request', upload],
    ['an upload in pieces', beginUpload],
  ])('for bytes holds for %s: the last byte, one over, after more and less', async (_, add) => {
    await allow(stage.owner, { bytes: 1000 });
    expect(await add('whole', 1001)).toBe(false);
    expect(await add('exact', 1000)).toBe(true);
    expect(await add('over', 1)).toBe(false);
    await allow(stage.owner, { bytes: 1001 });
    expect(await add('more', 1)).toBe(true);
    await allow(stage.owner, { bytes: 500 });
    expect(await add('less', 1)).toBe(false);
    expect(await usage('bytes')).toEqual({ used: 1001, allowed: 500 });
  });
});
