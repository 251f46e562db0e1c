import { uniqueName, type Actor, type TestZone } from './actors.js';
import type { World } from '../world.js';

/** Content of an invitation email. */
export interface InvitationEmail {
  readonly token: string;
  /** Null for users who have their own password. */
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

/** Returns an email address without an account. */
export const uniqueEmail = (): string => `${uniqueName('invited')}@example.com`;

/** Sends invitations and returns the results. */
export async function invite(zone: TestZone, inviter: Actor, ...emails: string[]): Promise<InviteResult[]> {
  const { body } = await inviter.client.post(`/api/zones/${zone.id}/invite`).send({ emails }).expect(200);
  return body.results as InviteResult[];
}

/** Returns the newest invitation sent to an address. */
export async function waitForInvitation(world: World, email: string): Promise<InvitationEmail> {
  const { text, subject } = await world.waitForEmail(email, (mail) => mail.text.includes('/invite/'));
  const token = /\/invite\/([\w-]+)/.exec(text)![1]!;
  const password = /\b[a-z0-9]{4}(?:-[a-z0-9]{4}){4}\b/.exec(text.replace(token, ''))?.[0] ?? null;
  return { token, password, text, subject };
}

/** Invites an unused address; returns it with the email. */
export async function inviteNewAddress(
  world: World,
  zone: TestZone,
  inviter: Actor,
): Promise<InvitationEmail & { email: string }> {
  const email = uniqueEmail();
  await invite(zone, inviter, email);
  return { email, ...(await waitForInvitation(world, email)) };
}

export async function makeAdmin(world: World, zone: TestZone, actor: Actor): Promise<void> {
  const em = world.testApp.em();
  await em.execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [zone.id, actor.id]);
}

/** Size of the owner's audience: as counted for the plan, and as computed from the rows. */
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

/** Sets the daily limit of emails to non-members (null: unlimited) and keeps all other limits. */
export async function setInviteLimit(world: World, owner: Actor, limit: number | null = null): Promise<void> {
  await world.testApp.em().execute(
    `insert into owner_plans (owner_id, granted_plan, zones, people, bytes, mails, invites, updated_at)
       values (?, 'enterprise', 1, 100, 1073741824, 100, ?, now())
       on conflict (owner_id) do update set granted_plan = 'enterprise', invites = excluded.invites`,
    [owner.id, limit],
  );
}

/** Sets the number of members the owner's plan allows. */
export async function setPeopleLimit(world: World, owner: Actor, limit: number): Promise<void> {
  await world.testApp.em().execute(
    `insert into usage (owner_id, metric, period, allowed) values (?, 'people', '', ?)
       on conflict (owner_id, metric, period) do update set allowed = excluded.allowed`,
    [owner.id, limit],
  );
}
