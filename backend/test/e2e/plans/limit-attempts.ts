import { MINUTE } from '../../../src/platform/clock/clock.js';
import { sweepCampaigns } from '../../../src/modules/campaigns/campaigns.jobs.js';
import { UnsubscribeLinkService } from '../../../src/modules/zones/leaving/unsubscribe-link.service.js';
import { CronScheduler } from '../../../src/platform/jobs/cron/cron-scheduler.js';
import {
  createZone,
  joinPublicZone,
  registerUsers,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { sendWebhook, buildOrder } from '../../support/webhook-deliveries.js';
import { insertMembers, createDraft, readProgress, campaignContent } from '../campaigns/campaign-helpers.js';
import { uploadFile, postFiles } from '../files/upload/multipart-helpers.js';
import { postUpload } from '../files/upload/files-tus.js';
import { ADD_MODE, postImport } from '../zones/import-helpers.js';
import { joinByLink, createLink } from '../links/link-helpers.js';
import {
  hasSucceeded,
  hasRowSucceeded,
  times,
  type Attempt,
  type LimitsWorld,
  type AttemptFactory,
} from './limits-world.js';

const uniqueEmail = () => `${uniqueName('someone')}@example.com`;
const joinByPublicLink = (zone: TestZone, { client, email }: Actor) =>
  client.post(`/api/public-zones/${zone.publicLink}/join`).send({ email, emailConsent: true });
const zonePath = (path: string) => `/api/zones/${path}`;

let nextOrderId = 90_000;

/** Every way to add a person to an owner's audience. */
export const membershipAttempts: Record<string, AttemptFactory> = {
  'the public link': async ({ world, zone }, count) =>
    (await registerUsers(world, count)).map((actor) => () => hasSucceeded(joinByPublicLink(zone, actor))),

  'a temporary link': async ({ world, owner }, count) => {
    const zone = await createZone(owner, { type: 'private' });
    const link = await createLink({ owner, zone });
    return (await registerUsers(world, count)).map(
      ({ client, email }) =>
        () =>
          hasSucceeded(joinByLink(client, link, email)),
    );
  },

  'the approval of a request': async ({ world, owner }, count) => {
    const zone = await createZone(owner, { autoJoin: false });
    for (const actor of await registerUsers(world, count)) await joinByPublicLink(zone, actor).expect(200);
    const path = zonePath(`${zone.id}/join-requests`);
    const { body } = await owner.client.get(path).expect(200);
    return (body as { id: number }[]).map(
      ({ id }) =>
        () =>
          hasSucceeded(owner.client.post(`${path}/${id}/approve`)),
    );
  },

  'an invitation': ({ owner, zone }, count) =>
    Promise.resolve(
      times(count, uniqueEmail).map((email) => () => {
        const request = owner.client.post(zonePath(`${zone.id}/invite`)).send({ emails: [email] });
        return hasRowSucceeded(request, 'INVITED');
      }),
    ),

  'an import that adds': ({ owner, zone }, count) =>
    Promise.resolve(
      times(count, uniqueEmail).map(
        (email) => () => hasRowSucceeded(postImport(owner.client, zone, `email\n${email}`, ADD_MODE), 'ADDED'),
      ),
    ),

  'an import that invites': ({ owner, zone }, count) =>
    Promise.resolve(
      times(count, uniqueEmail).map(
        (email) => () => hasRowSucceeded(postImport(owner.client, zone, `email\n${email}`), 'INVITED'),
      ),
    ),

  'taking back an unsubscribe': async ({ world, zone }, count) => {
    const members = await registerUsers(world, count);
    for (const member of members) await joinPublicZone(zone, member);
    const links = world.testApp.app.get(UnsubscribeLinkService);
    const paths = members.map(({ id }) => `/api/unsubscribe/${links.createToken({ userId: id, zoneId: zone.id })}`);
    for (const path of paths) await world.createClient().post(path).expect(200);
    return paths.map((path) => () => hasSucceeded(world.createClient().post(`${path}/undo`)));
  },

  'a purchase': async ({ world, admin, zone }, count) => {
    const product = nextOrderId++;
    const mapping = { productId: String(product), productName: 'A course', zoneId: zone.id };
    await admin.client.post('/api/woocommerce/product-mappings').send(mapping).expect(201);
    const work = coalesce(() => world.testApp.drain());
    return times(count, uniqueEmail).map((email) => async () => {
      await sendWebhook.woocommerce(world, buildOrder({ id: nextOrderId++, email, products: [product] })).expect(200);
      let result = '';
      while (!['completed ', 'pending ZONE_FULL'].includes(result)) {
        await work();
        const [row] = await world.testApp
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

/** Runs work once for all concurrent callers; calls made during a run wait for the next one. */
function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const start = () => (running = work().finally(() => (running = null)));
  return () => {
    if (!running) return start();
    next ??= running.then(() => {
      next = null;
      return start();
    });
    return next;
  };
}

/** Every way to store one byte. */
export const storageAttempts: Record<string, AttemptFactory> = {
  'an upload in one request': ({ owner, zone }, count) =>
    Promise.resolve(
      times(count, (n) => () => hasSucceeded(postFiles(owner.client, zone.id, [{ name: `file-${n}`, body: 'x' }]))),
    ),
  'an upload in chunks': ({ owner, zone }, count) =>
    Promise.resolve(times(count, (n) => () => hasSucceeded(postUpload(owner.client, zone, `file-${n}`, 1)))),
};

/** A zone with one member who has consented to emails. */
async function createZoneWithOneMember({ world, owner }: LimitsWorld): Promise<TestZone> {
  const zone = await createZone(owner, { type: 'private' });
  await insertMembers(world, zone, 1);
  return zone;
}

const createDrafts = async (limits: LimitsWorld, count: number) => {
  const { owner } = limits;
  const zone = await createZoneWithOneMember(limits);
  return Promise.all(times(count, () => createDraft({ owner, zone })));
};

/** Runs the engine until no campaign is sending, advancing past retry delays. */
async function waitUntilSent({ world, owner }: LimitsWorld, ids: readonly number[]): Promise<void> {
  const { app, clock, drain } = world.testApp;
  for (let round = 0; round < 40; round++) {
    await drain();
    const states = await Promise.all(ids.map((id) => readProgress(owner.client, id)));
    if (states.every(({ status }) => status !== 'sending')) return;
    clock.advance(MINUTE);
    await app.get(CronScheduler).enqueueCronRun(sweepCampaigns as never, clock.now());
  }
  throw new Error('A campaign did not end.');
}

/** Every way to use one email of the monthly quota. */
export const emailAttempts: Record<string, AttemptFactory> = {
  'a mail that is written and sent': async (limits, count) => {
    const zone = await createZoneWithOneMember(limits);
    const path = zonePath(`${zone.id}/send-email`);
    return times(
      count,
      () => () => hasSucceeded(limits.owner.client.post(path).send({ ...campaignContent(), sendMode: 'send' })),
    );
  },

  'a draft that is sent': async (limits, count) =>
    (await createDrafts(limits, count)).map(
      (id) => () => hasSucceeded(limits.owner.client.post(`/api/campaigns/${id}/send`)),
    ),

  'those whose mail failed': async (limits, count) => {
    const { sink, owner } = limits;
    // The owner's notification that no recipient was reached must be accepted.
    sink.decideReply = (to) => (to === owner.email ? 'take' : { code: 550, when: 'recipient' });
    const ids: number[] = [];
    for (let n = 0; n < count; n++) {
      // A new zone each time, because an address that fails repeatedly would be suppressed.
      const id = await createDraft({ owner, zone: await createZoneWithOneMember(limits) });
      await owner.client.post(`/api/campaigns/${id}/send`).expect(200);
      ids.push(id);
    }
    await waitUntilSent(limits, ids);
    sink.decideReply = () => 'take';
    return ids.map((id) => () => hasSucceeded(owner.client.post(`/api/campaigns/${id}/retry-failed`)));
  },
};

/** The same for emails without a waiting request: the result is read afterwards. */
export const deferredEmailAttempts: Record<string, AttemptFactory> = {
  'a schedule': async (limits, count) => {
    const { world, owner } = limits;
    const zone = await createZoneWithOneMember(limits);
    return times(count, () => async () => {
      const id = await createDraft({ owner, zone });
      const scheduledAt = new Date(world.testApp.clock.now().getTime() + MINUTE).toISOString();
      await owner.client.post(`/api/campaigns/${id}/schedule`).send({ scheduledAt, timeZone: 'UTC' }).expect(200);
      world.testApp.clock.advance(2 * MINUTE);
      await world.testApp.drain();
      const { body } = await owner.client.get(`/api/campaigns/${id}`).expect(200);
      const { status, failure } = body as { status: string; failure: string | null };
      // Whether the email has been sent yet doesn't matter.
      expect(['sending ', 'sent ', 'failed PLAN_LIMIT']).toContain(`${status} ${failure ?? ''}`);
      return status !== 'failed';
    });
  },

  'the welcome of a zone': async ({ world, sink, owner, zone }, count) => {
    const welcomeSettings = { welcomeEnabled: true, welcomeSubject: uniqueName('Welcome') };
    await owner.client
      .put(zonePath(`${zone.id}/mail-settings`))
      .send(welcomeSettings)
      .expect(200);
    return times(count, (): Attempt => async () => {
      const member = await registerUser(world);
      await joinPublicZone(zone, member);
      await world.testApp.drain();
      return sink
        .messagesTo(member.email)
        .some(({ headers }) => headers.get('subject') === welcomeSettings.welcomeSubject);
    });
  },
};

/** Every way to add a zone. */
export const zoneAttempts: Record<string, AttemptFactory> = {
  'a new zone': ({ owner }, count) =>
    Promise.resolve(
      times(
        count,
        () => () => hasSucceeded(owner.client.post('/api/zones').send({ name: uniqueName('Zone'), type: 'private' })),
      ),
    ),
};

/**
 * Stores a file and moves it to the trash.
 * @returns a function that restores it
 */
export async function trashFile(
  { owner, zone }: LimitsWorld,
  name: string,
  bytes: number,
): Promise<() => Promise<void>> {
  const { id } = await uploadFile(owner.client, zone.id, name, Buffer.alloc(bytes));
  const { body } = await owner.client
    .post(zonePath(`${zone.id}/delete`))
    .send({ fileIds: [id] })
    .expect(200);
  const { trashId } = body as { trashId: string };
  return async () => {
    await owner.client
      .post(zonePath(`${zone.id}/trash/restore`))
      .send({ trashId })
      .expect(200);
  };
}
