import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { listAuditTypes, createApiToken } from '../auth/account-helpers.js';
import { insertUserRows } from './user-rows.js';

let world: World;
let ada: Actor;
let grace: Actor;
let zone: TestZone;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  [ada, grace] = [await registerUser(world), await registerUser(world, { firstName: 'Grace' })];
  zone = await createZone(ada, { name: uniqueName('Ada’s zone') });
});
afterAll(() => world.close());

type Export = Record<string, Record<string, unknown>[]>;

async function downloadExport(actor: Actor): Promise<{ data: Export; text: string }> {
  const response = await actor.client.get('/api/user/export').expect(200);
  expect(response.headers['content-type']).toMatch(/^application\/json/);
  expect(response.headers['content-disposition']).toMatch(
    /^attachment; filename="zonary-export-\d{4}-\d\d-\d\d\.json"$/,
  );
  expect(response.headers['cache-control']).toBe('private, no-store');
  return { data: response.body as Export, text: response.text };
}

describe('GET /api/user/export', () => {
  it("contains the user's data of every module", async () => {
    const other = await createZone(grace, { name: uniqueName('Grace’s zone') });
    await joinPublicZone(other, ada);
    await ada.client.post(`/api/zones/${zone.id}/files`).attach('files', Buffer.from('hello'), 'hello.txt').expect(201);
    await ada.client.post(`/api/zones/${zone.id}/folders`).send({ name: 'Papers' }).expect(201);
    const { id: tokenId } = await createApiToken(ada);
    const { data } = await downloadExport(ada);
    expect(data).toMatchObject({
      exportedAt: expect.any(String),
      account: [{ id: ada.id, email: ada.email, username: ada.username, firstName: 'Ada', plan: 'free' }],
      sessions: [{ ipAddress: expect.any(String) }],
      apiTokens: [{ id: tokenId, scope: 'write' }],
      zones: [{ id: zone.id, name: zone.name, publicLink: zone.publicLink }],
      consents: [{ zoneId: other.id, method: 'public_link', text: expect.stringContaining('I agree') }],
      files: [{ name: 'hello.txt', size: 5, zoneId: zone.id }],
      folders: [{ name: 'Papers', zoneId: zone.id }],
      filesInOtherZones: [],
      joinRequests: [],
    });
    expect(data.memberships).toMatchObject([
      { zoneId: zone.id, role: 'owner' },
      { zoneId: other.id, zoneName: other.name, role: 'member' },
    ]);
    expect(data.activity!.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['zone.created', 'member.joined', 'file.uploaded', 'folder.created']),
    );
  });

  it('contains no data of others and no secrets', async () => {
    await joinPublicZone(zone, grace);
    const { token } = await createApiToken(ada);
    const login = await ada.client.post('/api/login').send({ email: ada.email, password: ada.password });
    const sid = /zonary_session=([\w-]+)/.exec(String(login.headers['set-cookie']))![1]!;
    const { text } = await downloadExport(ada);
    for (const secret of [token, sid, '$argon2', grace.email, grace.username, 'object_key', 'digest']) {
      expect(text).not.toContain(secret);
    }
  });

  it('returns the data of the signed-in user only', async () => {
    await world.createClient().get('/api/user/export').expect(401);
    const { data } = await downloadExport(grace);
    expect(data.account).toMatchObject([{ id: grace.id }]);
    expect(data.zones).toEqual([]);
  });
});

describeInProcess('Documents of the export', () => {
  it('have these names and fields, in this order', async () => {
    const other = await createZone(grace);
    await joinPublicZone(other, ada);
    const zonePath = `/api/zones/${zone.id}`;
    await ada.client.post(`${zonePath}/files`).attach('files', Buffer.from('hello'), 'hello.txt').expect(201);
    await ada.client.post(`${zonePath}/folders`).send({ name: 'Papers' }).expect(201);
    await createApiToken(ada);
    const { id, email } = ada;
    await insertUserRows(world, { id, email, ownZone: zone.id, otherZone: other.id, otherOwner: grace.id });
    const { exportedAt, ...documents } = (await downloadExport(ada)).data;
    expect(exportedAt).toEqual(expect.any(String));
    const fields = Object.entries(documents).map(([name, [first]]) => `${name}: ${Object.keys(first ?? {}).join(' ')}`);
    expect(fields).toEqual(DOCUMENTS.trim().replace(/\n  /g, ' ').split('\n'));
  });
});

/** Each document with its fields; an indented line continues the one above. */
const DOCUMENTS = `
account: id email username role plan language isSuperAdmin firstName lastName profileImageUrl emailVerified
  timeZone postalAddress notifyAcceptedInvitations notifySuggestions notifyAdministration startSteps usernameChangedAt
  usernameChangeCount subscriptionStatus createdAt updatedAt
sessions: id ipAddress userAgent restricted createdAt lastSeenAt expiresAt
devices: id network userAgent firstSeenAt lastSeenAt
apiTokens: id name scope createdAt expiresAt lastUsedAt
security: id kind detail network count firstAt lastAt
externalIdentities: id issuer subject email createdAt lastUsedAt
emailChanges: id oldEmail newEmail byAdmin changedAt undoneAt
authenticators: enrolledAt
passkeys: id name createdAt lastUsedAt
activity: id type params zoneId fileId createdAt
openedFiles: fileId firstAt lastAt views downloads
readFiles: fileId version firstAt lastAt ms pagesRead lastPage
readPages: id fileId version page ms createdAt
plan: subscribedPlan grantedPlan updatedAt zones people bytes mails invites
usage: metric period used allowed
limitWarnings: metric month level warnedAt
invitations: id zoneId firstName lastName used createdAt sentAt keptAt expiresAt usedAt undeliverableAt
zones: id name description type publicLink autoJoin requiresEmailOptin showFiles versionsKept versionsDays
  recordsReading createdAt updatedAt
memberships: id zoneId zoneName role joinMethod isFavorite expiresAt joinedAt visitedAt
consents: id zoneId consentedAt ipAddress method text zoneName
joinRequests: id zoneId method consentText ipAddress createdAt
unsubscribes: id zoneId unsubscribedAt reason zoneName
leaves: id zoneId zoneType via reason role joinMethod joinedAt leftAt undoneAt
  zoneName
folders: id name zoneId parentId trashedAt createdAt updatedAt
files: id name mimeType size sha256 zoneId folderId allowDownload allowText trashedAt createdAt updatedAt
filesInOtherZones: id name mimeType size sha256 zoneId folderId allowDownload allowText trashedAt createdAt updatedAt
fileVersions: id fileId number name mimeType size sha256 uploadedAt createdAt
readingPositions: fileId page fraction seconds updatedAt
sentFiles: fileId folderId isPrivate name createdAt
filesSentByLink: fileId email createdAt
receivedFiles: fileId folderId userId guestEmail isPrivate createdAt
uploads: id name zoneId folderId length received fileId createdAt expiresAt
billing: stripeCustomerId stripeSubscriptionId subscriptionStatus interval paused amount currency
  cancelAtPeriodEnd currentPeriodEnd pastDueSince
payments: id amount currency paidAt
subscriptionChanges: id planBefore planAfter changedAt
featureSuggestions: id title description category status createdAt
featureVotes: id suggestionId createdAt
pendingJoins: id zoneId consentText ipAddress language createdAt expiresAt completedAt
linkUsages: id zoneId linkId outcome ipAddress userAgent country city wasNewUser attemptedAt joinedAt
temporaryLinks: id zoneId name token expiresAt maxUses currentUses isActive membershipDays createdAt updatedAt
itemLinks: id zoneId fileId folderId name token expiresAt maxUses currentUses isActive needsEmail allowDownload
  allowUploads createdAt updatedAt
openedLinks: id linkId email firstAt lastAt views downloads
campaigns: id zoneId name subject htmlContent textContent status recipientCount createdAt sentAt
emailTemplates: id name subject htmlContent createdAt
receivedMails: id subject state sentAt zoneName openedAt clickedAt
mailEvents: id mailId type verdict ipAddress userAgent createdAt
purchases: id source externalId zoneId state occurredAt createdAt
purchaseWebhooks: id source event status orderId productName subscriptionId customerName createdAt
`;

describeInProcess('Large export', () => {
  it('is complete and read in batches', async () => {
    await world.testApp.em().execute(
      `insert into activity (created_at, type, user_id, params)
       select date_trunc('second', now()) - (n % 7) * interval '1 minute', 'user.signed_in', ?, jsonb_build_object('n', n)
       from generate_series(1, 1200) n`,
      [ada.id],
    );
    const { data } = await downloadExport(ada);
    const signIns = data.activity!.filter(({ type }) => type === 'user.signed_in');
    const numbers = signIns.map(({ params }) => (params as { n: number }).n).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 1200 }, (_, index) => index + 1));
  });

  it('uses the email index for pending joins', async () => {
    const em = world.testApp.em();
    await em.execute(
      `insert into pending_joins (email, zone_id, language, created_at, expires_at)
       select 'waiting-' || n || '@example.com', ?, 'en', now(), now() + interval '1 day' from generate_series(1, 20000) n`,
      [zone.id],
    );
    await em.execute('analyze pending_joins');
    const plan = await em.execute(
      `explain select id from pending_joins where email = ? and id > 0 order by id limit 500`,
      [ada.email],
    );
    expect(JSON.stringify(plan)).toContain('pending_joins_email_id_index');
  });

  it('is cut off on an error instead of ending as if complete', async () => {
    const own = await World.open();
    try {
      const actor = await registerUser(own);
      await own.testApp.em().execute('alter table feature_votes rename to gone');
      await expect(actor.client.get('/api/user/export').then(({ status }) => status)).rejects.toThrow();
      await actor.client.get('/api/user').expect(200);
    } finally {
      await own.close();
    }
  });

  it('is limited to 10 per hour, each of them audited', async () => {
    const limited = await World.open({ RATE_LIMIT: 'on' });
    try {
      const actor = await registerUser(limited);
      for (let count = 0; count < 10; count++) await actor.client.get('/api/user/export').expect(200);
      await actor.client.get('/api/user/export').expect(429);
      const types = await listAuditTypes(limited, actor.id);
      expect(types.filter((type) => type === 'user.data-exported')).toHaveLength(10);
    } finally {
      await limited.close();
    }
  });
});
