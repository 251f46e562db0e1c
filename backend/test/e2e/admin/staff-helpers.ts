import { registerUser, type Actor } from '../../support/people/actors.js';
import type { World } from '../../support/world.js';

/** The four roles the administration distinguishes. */
export interface Staff {
  readonly superAdmin: Actor;
  readonly admin: Actor;
}

/** Registers a super admin and an admin. */
export async function registerStaff(world: World): Promise<Staff> {
  const [superAdmin, admin] = [await registerUser(world), await registerUser(world)];
  await makeSuperAdmin(world, superAdmin);
  await world.testApp.em().execute(`update users set role = 'admin' where id = ?`, [admin.id]);
  return { superAdmin, admin };
}

export async function makeSuperAdmin(world: World, { id }: Actor): Promise<void> {
  await world.testApp.em().execute('update users set is_super_admin = true where id = ?', [id]);
}

interface AuditEntry {
  readonly type: string;
  readonly actor_id: number | null;
  readonly subject_id: number | null;
  readonly params: Record<string, unknown>;
  readonly ip_address: string | null;
}

/** Audit log entries of an actor, oldest first, without sign-ins. */
export function listAuditEntriesBy(world: World, { id }: Actor): Promise<AuditEntry[]> {
  return world.testApp.em().execute(
    `select type, actor_id, subject_id, params, ip_address from audit_log
       where actor_id = ? and type not in ('user.registered', 'user.signed-in') order by id`,
    [id],
  );
}
