import type { Access } from '../../platform/http/access.decorator.js';
import type { Viewer } from '../../platform/http/viewer.js';

/** What a route declares about who may call it. */
export interface RouteAccess {
  readonly access: Access;
  readonly method: string;
  readonly allowRestricted: boolean;
  readonly sessionOnly: boolean;
}

export type Verdict = 'ok' | 'NOT_SIGNED_IN' | 'FORBIDDEN' | 'PROFILE_INCOMPLETE' | 'SESSION_REQUIRED';

const SAFE_METHODS = ['GET', 'HEAD'];

/** Whether somebody administers the installation, as admin or as super admin. */
export function isStaff({ role, isSuperAdmin }: Pick<Viewer, 'role' | 'isSuperAdmin'>): boolean {
  return isSuperAdmin || role === 'admin';
}

/** May this viewer call this route at all? What they may do with one given thing is the policy of its module. */
export function mayCall(viewer: Viewer | null, route: RouteAccess): Verdict {
  if (route.access === 'public') return 'ok';
  if (!viewer) return 'NOT_SIGNED_IN';
  if (viewer.restricted && !route.allowRestricted) return 'PROFILE_INCOMPLETE';
  if (viewer.scope !== null && route.sessionOnly) return 'SESSION_REQUIRED';
  if (viewer.scope === 'read' && !SAFE_METHODS.includes(route.method)) return 'FORBIDDEN';
  if (route.access === 'signed-in') return 'ok';
  if (viewer.scope !== null && viewer.scope !== 'admin') return 'FORBIDDEN';
  return (route.access === 'admin' ? isStaff(viewer) : viewer.isSuperAdmin) ? 'ok' : 'FORBIDDEN';
}
