import { MINUTE } from '../../../src/platform/clock/clock.js';
import { sweepCampaigns } from '../../../src/modules/campaigns/campaigns.jobs.js';
import { UnsubscribeLinkService } from '../../../src/modules/zones/leaving/unsubscribe-link.service.js';
import { CronScheduler } from '../../../src/platform/jobs/cron/cron-scheduler.js';
import { createZone, join, people, register, unique, type Actor, type TestZone } from '../../support/people/actors.js';
import { deliver, order } from '../../support/deliveries.js';
import { addMembers, draft, progressOf, wording } from '../campaigns/campaigns-world.js';
import { put, send } from '../files/upload/files-forms.js';
import { begin } from '../files/upload/files-tus.js';
import { ADD, sendFile } from '../zones/import-world.js';
import { joinBy, makeLink } from '../links/links-world.js';
import { cameAbout, rowCameAbout, times, type Attempt, type LimitsWorld, type Way } from './limits-world.js';

const someone = () => `${unique('someone')}@example.com`;
const joinPublic = (zone: TestZone, { client, email }: Actor) =>
  client.post(`/api/public-zones/${zone.publicLink}/join`).send({ email, emailConsent: true });
const zonesOf = (path: string) => `/api/zones/${path}`;

let nextOrder = 90_000;

/** Every way in which somebody comes into an owner's audience. */
export const waysIn: Record<string, Way> = {
  'the public link': async ({ world, zone }, count) =>
    (await people(world, count)).map((actor) => () => cameAbout(joinPublic(zone, actor))),

  'a temporary link': async ({ world, owner }, count) => {
    const zone = await createZone(owner, { type: 'private' });
    const link = await makeLink({ owner, zone });
    return (await people(world, count)).map(
      ({ client, email }) =>
        () =>
          cameAbout(joinBy(client, link, email)),
    );
  },

  'the approval of a request': async ({ world, owner }, count) => {
    const zone = await createZone(owner, { autoJoin: false });
    for (const actor of await people(world, count)) await joinPublic(zone, actor).expect(200);
    const path = zonesOf(`${zone.id}/join-requests`);
    const { body } = await owner.client.get(path).expect(200);
    return (body as { id: number }[]).map(
      ({ id }) =>
        () =>
          cameAbout(owner.client.post(`${path}/${id}/approve`)),
    );
  },

  'an invitation': ({ owner, zone }, count) =>
    Promise.resolve(
      times(count, someone).map((email) => () => {
        const request = owner.client.post(zonesOf(`${zone.id}/invite`)).send({ emails: [email] });
        return rowCameAbout(request, 'INVITED');
      }),
    ),

  'an import that adds': ({ owner, zone }, count) =>
    Promise.resolve(
      times(count, someone).map(
        (email) => () => rowCameAbout(sendFile(owner.client, zone, `email\n${email}`, ADD), 'ADDED'),
      ),
    ),

  'an import that invites': ({ owner, zone }, count) =>
    Promise.resolve(
      times(count, someone).map(
        (email) => () => rowCameAbout(sendFile(owner.client, zone, `email\n${email}`), 'INVITED'),
      ),
    ),

  'taking back an unsubscribe': async ({ world, zone }, count) => {
    const readers = await people(world, count);
    for (const reader of readers) await join(zone, reader);
    const links = world.inside.app.get(UnsubscribeLinkService);
    const paths = readers.map(({ id }) => `/api/unsubscribe/${links.createToken({ userId: id, zoneId: zone.id })}`);
    for (const path of paths) await world.client().post(path).expect(200);
    return paths.map((path) => () => cameAbout(world.client().post(`${path}/undo`)));
  },

  'a purchase': async ({ world, admin, zone }, count) => {
    const product = nextOrder++;
    const mapping = { productId: String(product), productName: 'A course', zoneId: zone.id };
    await admin.client.post('/api/woocommerce/product-mappings').send(mapping).expect(201);
    const work = together(() => world.inside.drain());
    return times(count, someone).map((email) => async () => {
      await deliver.woocommerce(world, order({ id: nextOrder++, email, products: [product] })).expect(200);
      let result = '';
      while (!['completed ', 'pending ZONE_FULL'].includes(result)) {
        await work();
        const [row] = await world.inside
          .em()
          .execute<{ status: string; code: string | null }[]>(
            'select status, error_code as code from integration_webhooks where customer_email = ? order by id desc limit 1',
            [email],
          );
        result = row ? `${row.status} ${row.code ?? ''}` : '';
      }
      return result === 'completed ';
    });
  },
};

/** Work that is done once for all who want it at the same time; who comes in the middle waits for the next turn. */
function together(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const begin = () => (running = work().finally(() => (running = null)));
  return () => {
    if (!running) return begin();
    next ??= running.then(() => {
      next = null;
      return begin();
    });
    return next;
  };
}

/** How one byte is stored. */
export const waysToStore: Record<string, Way> = {
  'an upload in one request': ({ owner, zone }, count) =>
    Promise.resolve(
      times(count, (n) => () => cameAbout(send(owner.client, zone.id, [{ name: `file-${n}`, body: 'x' }]))),
    ),
  'an upload in pieces': ({ owner, zone }, count) =>
    Promise.resolve(times(count, (n) => () => cameAbout(begin(owner.client, zone, `file-${n}`, 1)))),
};

/** A zone with one member who may be written to. */
async function audienceOfOne({ world, owner }: LimitsWorld): Promise<TestZone> {
  const zone = await createZone(owner, { type: 'private' });
  await addMembers(world, zone, 1);
  return zone;
}

const drafts = async (limits: LimitsWorld, count: number) => {
  const { owner } = limits;
  const zone = await audienceOfOne(limits);
  return Promise.all(times(count, () => draft({ owner, zone })));
};

/** Works until no campaign is being sent any more, letting the waits before new tries pass. */
async function allSent({ world, owner }: LimitsWorld, ids: readonly number[]): Promise<void> {
  const { app, clock, drain } = world.inside;
  for (let round = 0; round < 40; round++) {
    await drain();
    const states = await Promise.all(ids.map((id) => progressOf(owner.client, id)));
    if (states.every(({ status }) => status !== 'sending')) return;
    clock.advance(MINUTE);
    await app.get(CronScheduler).enqueueCronRun(sweepCampaigns as never, clock.now());
  }
  throw new Error('A campaign did not end.');
}

/** Every way in which one mail of the month is used. */
export const waysToMail: Record<string, Way> = {
  'a mail that is written and sent': async (limits, count) => {
    const zone = await audienceOfOne(limits);
    const path = zonesOf(`${zone.id}/send-email`);
    return times(count, () => () => cameAbout(limits.owner.client.post(path).send({ ...wording(), sendMode: 'send' })));
  },

  'a draft that is sent': async (limits, count) =>
    (await drafts(limits, count)).map((id) => () => cameAbout(limits.owner.client.post(`/api/campaigns/${id}/send`))),

  'those whose mail failed': async (limits, count) => {
    const { sink, owner } = limits;
    // The owner can be told that nobody was reached.
    sink.answer = (to) => (to === owner.email ? 'take' : { code: 550, when: 'recipient' });
    const ids: number[] = [];
    for (let n = 0; n < count; n++) {
      // One address that fails again and again would be left out.
      const id = await draft({ owner, zone: await audienceOfOne(limits) });
      await owner.client.post(`/api/campaigns/${id}/send`).expect(200);
      ids.push(id);
    }
    await allSent(limits, ids);
    sink.answer = () => 'take';
    return ids.map((id) => () => cameAbout(owner.client.post(`/api/campaigns/${id}/retry-failed`)));
  },
};

/** The same, where nobody waits for an answer: what came of it is seen afterwards. */
export const quietWaysToMail: Record<string, Way> = {
  'a schedule': async (limits, count) => {
    const { world, owner } = limits;
    const zone = await audienceOfOne(limits);
    return times(count, () => async () => {
      const id = await draft({ owner, zone });
      const scheduledAt = new Date(world.inside.clock.now().getTime() + MINUTE).toISOString();
      await owner.client.post(`/api/campaigns/${id}/schedule`).send({ scheduledAt, timeZone: 'UTC' }).expect(200);
      world.inside.clock.advance(2 * MINUTE);
      await world.inside.drain();
      const { body } = await owner.client.get(`/api/campaigns/${id}`).expect(200);
      const { status, failure } = body as { status: string; failure: string | null };
      // Whether the mail has left yet is another matter.
      expect(['sending ', 'sent ', 'failed PLAN_LIMIT']).toContain(`${status} ${failure ?? ''}`);
      return status !== 'failed';
    });
  },

  'the welcome of a zone': async ({ world, sink, owner, zone }, count) => {
    const wish = { welcomeEnabled: true, welcomeSubject: unique('Welcome') };
    await owner.client
      .put(zonesOf(`${zone.id}/mail-settings`))
      .send(wish)
      .expect(200);
    return times(count, (): Attempt => async () => {
      const reader = await register(world);
      await join(zone, reader);
      await world.inside.drain();
      return sink.to(reader.email).some(({ headers }) => headers.get('subject') === wish.welcomeSubject);
    });
  },
};

/** A zone more. */
export const waysToZones: Record<string, Way> = {
  'a new zone': ({ owner }, count) =>
    Promise.resolve(
      times(
        count,
        () => () => cameAbout(owner.client.post('/api/zones').send({ name: unique('Zone'), type: 'private' })),
      ),
    ),
};

/** Stores a file and puts it into the trash. @returns what takes it out again */
export async function trashed({ owner, zone }: LimitsWorld, name: string, bytes: number): Promise<() => Promise<void>> {
  const { id } = await put(owner.client, zone.id, name, Buffer.alloc(bytes));
  const { body } = await owner.client
    .post(zonesOf(`${zone.id}/delete`))
    .send({ fileIds: [id] })
    .expect(200);
  const { trashId } = body as { trashId: string };
  return async () => {
    await owner.client
      .post(zonesOf(`${zone.id}/trash/restore`))
      .send({ trashId })
      .expect(200);
  };
}
