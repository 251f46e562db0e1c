import { uniqueName, type Actor, type TestZone } from './actors.js';
import type { World } from '../world.js';

/** What the mail of an invitation holds. */
export interface InvitationEmail {
  readonly token: string;
  /** null for people who have a password of their own. */
  readonly password: string | null;
  readonly text: string;
  readonly subject: string;
}

export interface InviteResult {
  readonly email: string;
  readonly success: boolean;
  readonly status: string;
  readonly message: string;
}

/** An address that nobody has. */
export const uniqueEmail = (): string => `${uniqueName('invited')}@example.com`;

/** Invites and gives the results. */
export async function invite(zone: TestZone, inviter: Actor, ...emails: string[]): Promise<InviteResult[]> {
  const { body } = await inviter.client.post(`/api/zones/${zone.id}/invite`).send({ emails }).expect(200);
  return body.results as InviteResult[];
}

/** The newest invitation that went to an address. */
export async function waitForInvitation(world: World, email: string): Promise<InvitationEmail> {
  const { text, subject } = await world.waitForEmail(email, (mail) => mail.text.includes('/invite/'));
  const token = /\/invite\/([\w-]+)/.exec(text)![1]!;
  const password = /\b[a-z0-9]{4}(?:-[a-z0-9]{4}){4}\b/.exec(text.replace(token, ''))?.[0] ?? null;
  return { token, password, text, subject };
}

/** Invites an address that nobody has; gives it with its mail. */
export async function inviteNewAddress(
  world: World,
  zone: TestZone,
  inviter: Actor,
): Promise<InvitationEmail & { email: string }> {
  const email = uniqueEmail();
  await invite(zone, inviter, email);
  return { email, ...(await waitForInvitation(world, email)) };
}

/** Sets the role of a member. */
export async function makeAdmin(world: World, zone: TestZone, actor: Actor): Promise<void> {
  const em = world.testApp.em();
  await em.execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [zone.id, actor.id]);
}

/** People in the owner's audience: as counted for the plan, and as the rows say. */
export async function readAudience(
  world: World,
  owner: Actor,
): Promise<{ used: number; rows: number; pending: number }> {
  const em = world.testApp.em();
  const [usage] = await em.execute<{ used: string }[]>(
    `select used from usage where owner_id = ? and metric = 'people'`,
    [owner.id],
  );
  const [row] = await em.execute<{ rows: string; pending: string }[]>(
    `select count(*) as rows, coalesce(sum(pending), 0) as pending from audience where owner_id = ?`,
    [owner.id],
  );
  return { used: Number(usage?.used ?? 0), rows: Number(row!.rows), pending: Number(row!.pending) };
}

/** Lifts the limit of mails a day to people who are not members yet, and leaves every other limit as it is. */
export async function setInviteLimit(world: World, owner: Actor, limit: number | null = null): Promise<void> {
  await world.testApp.em().execute(
    `insert into owner_plans (owner_id, granted_plan, zones, people, bytes, mails, invites, updated_at)
       values (?, 'enterprise', 1, 100, 1073741824, 100, ?, now())
       on conflict (owner_id) do update set granted_plan = 'enterprise', invites = excluded.invites`,
    [owner.id, limit],
  );
}

/** Sets how many people the owner's plan holds. */
export async function setPeopleLimit(world: World, owner: Actor, limit: number): Promise<void> {
  await world.testApp.em().execute(
    `insert into usage (owner_id, metric, period, allowed) values (?, 'people', '', ?)
       on conflict (owner_id, metric, period) do update set allowed = excluded.allowed`,
    [owner.id, limit],
  );
}
