import {
  createZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
  type ZoneOptions,
} from '../../support/people/actors.js';
import { SmtpSink } from '../../support/fakes/smtp-sink.js';
import { World, type Client } from '../../support/world.js';

/** Opens a test context whose emails, including account codes and links, all go to a local sink. */
export async function openWorldWithSink(sink: SmtpSink, env: Record<string, string> = {}): Promise<World> {
  const world = await World.open({ SMTP_URL: sink.url, ...env });
  world.listEmails = async (to) =>
    [...sink.messagesTo(to)].reverse().map(({ raw, headers, messageId }) => ({
      id: messageId,
      to,
      subject: headers.get('subject') ?? '',
      ...parseParts(raw),
    }));
  return world;
}

/** An owner with a zone. */
export interface Sender {
  readonly owner: Actor;
  readonly zone: TestZone;
}

export async function createSender(world: World, options: ZoneOptions = {}): Promise<Sender> {
  // Emails left by an earlier test must not arrive during this one.
  await world.testApp.drain();
  const owner = await registerUser(world);
  return { owner, zone: await createZone(owner, options) };
}

/** Common fixtures of suites about sending. */
export interface SendingContext {
  readonly world: World;
  readonly sink: SmtpSink;
  readonly sender: Sender;
}

/**
 * Opens a context with a sink for a suite, and gives each test a new sender and an empty sink.
 * @param assign receives them before each test
 */
export function setUpSenderPerTest(assign: (context: SendingContext) => void): void {
  let world: World;
  let sink: SmtpSink;
  beforeAll(async () => {
    sink = await SmtpSink.listen();
    world = await openWorldWithSink(sink);
  });
  beforeEach(async () => {
    const sender = await createSender(world);
    sink.messages.length = 0;
    assign({ world, sink, sender });
  });
  afterAll(async () => {
    await world.close();
    await sink.stop();
  });
}

/** Inserts members with consent directly into the database, because tests may need many. */
export async function insertMembers(
  world: World,
  zone: TestZone,
  count: number,
  { consent = true, prefix = uniqueName('m'), joinMethod = 'public_link' } = {},
): Promise<string[]> {
  const emails = Array.from({ length: count }, (_, index) => `${prefix}.${index}@example.org`);
  const em = world.testApp.em();
  await em.execute(
    `with made as (
       insert into users (email, first_name, last_name, email_verified, created_at, updated_at)
       select e, 'First ' || n, 'Last', true, now(), now()
       from jsonb_array_elements_text(?::jsonb) with ordinality as x(e, n) returning id, email
     ), joined as (
       insert into zone_members (zone_id, user_id, email, join_method, created_at)
       select ?, id, email, ?, now() from made
     ), counted as (
       insert into audience (owner_id, email_key, user_id, zones)
       select z.owner_id, made.email, made.id, 1 from made join zones z on z.id = ?
     ), agreed as (
       insert into email_consents (zone_id, user_id, consented_at, consent_method, consent_text)
       select ?, id, now(), 'test', 'yes' from made where ?
     )
     update zone_stats set members = members + ? where zone_id = ?`,
    [JSON.stringify(emails), zone.id, joinMethod, zone.id, zone.id, consent, count, zone.id],
  );
  return emails;
}

/** Sets the owner's quota for the current month. */
export async function setEmailQuota(world: World, { owner }: Sender, allowed: number | null): Promise<void> {
  await world.testApp.em().execute(
    `insert into usage (owner_id, metric, period, allowed) values (?, 'mails', ?, ?)
     on conflict (owner_id, metric, period) do update set allowed = excluded.allowed`,
    [owner.id, currentMonth(world), allowed],
  );
}

export async function readUsedEmails(world: World, { owner }: Sender): Promise<number> {
  const [row] = await world.testApp
    .em()
    .execute<{ used: number }[]>(
      `select used::int as used from usage where owner_id = ? and metric = 'mails' and period = ?`,
      [owner.id, currentMonth(world)],
    );
  return row?.used ?? 0;
}

const currentMonth = (world: World): string => world.testApp.clock.now().toISOString().slice(0, 7);

export const campaignContent = (overrides: object = {}) => ({
  subject: uniqueName('Subject'),
  htmlContent: '<p>Hello {{first_name|friend}}</p>',
  ...overrides,
});

/** Creates a draft and returns its id. */
export async function createDraft({ owner, zone }: Sender, overrides: object = {}): Promise<number> {
  const { body } = await owner.client
    .post(`/api/zones/${zone.id}/campaigns`)
    .send(campaignContent(overrides))
    .expect(201);
  return body.id as number;
}

export async function readProgress(client: Client, id: number) {
  return (await client.get(`/api/campaigns/${id}/progress`).expect(200)).body as Record<string, number | string>;
}

/** The two parts of an email, decoded from quoted-printable. */
export function parseParts(raw: string): { text: string; html: string } {
  const boundary = /boundary="([^"]+)"/.exec(raw)![1]!;
  const parts = raw.split(`--${boundary}`).slice(1, 3).map(decodePart);
  return { text: parts[0]!, html: parts[1]! };
}

function decodePart(part: string): string {
  const [headers = '', ...rest] = part.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  if (/base64/i.test(headers)) return Buffer.from(body, 'base64').toString('utf8');
  if (!/quoted-printable/i.test(headers)) return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

export { SmtpSink };
