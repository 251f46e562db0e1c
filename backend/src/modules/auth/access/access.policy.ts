import type { Access } from '../../../platform/http/access.decorator.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';

/** What a route declares about who may call it. */
export interface RouteAccess {
  readonly access: Access;
  readonly method: string;
  readonly allowRestricted: boolean;
  readonly allowReader: boolean;
  readonly skipMfaRequirement: boolean;
  readonly sessionOnly: boolean;
  readonly confirmed: boolean;
  /** The account for whom the page was opened that asks, as it says itself; undefined when it does not say. */
  readonly pageAccountId?: string | undefined;
}

export type AccessDecision =
  | 'ok'
  | 'NOT_SIGNED_IN'
  | 'ACCOUNT_CHANGED'
  | 'FORBIDDEN'
  | 'PROFILE_INCOMPLETE'
  | 'FACTOR_NEEDED'
  | 'SESSION_REQUIRED'
  | 'TOKEN_READ_ONLY'
  | 'CONFIRMATION_REQUIRED';

const SAFE_METHODS = ['GET', 'HEAD'];

/** Whether somebody administers the installation, as admin or as super admin. */
export function isStaff({ role, isSuperAdmin }: Pick<Viewer, 'role' | 'isSuperAdmin'>): boolean {
  return isSuperAdmin || role === 'admin';
}

/** Whether the installation asks this person for a second factor (`STAFF_MFA`), whether or not they have one. */
export function requiresMfa(person: Pick<Viewer, 'role' | 'isSuperAdmin'>, isStaffMfaRequired: boolean): boolean {
  return isStaffMfaRequired && isStaff(person);
}

/** May this viewer call this route at all? What they may do with one given thing is the policy of its module. */
export function decideAccess(viewer: Viewer | null, route: RouteAccess): AccessDecision {
  // Before all else: also what is open to everybody changes something for the token's person when they do it.
  if (viewer?.scope === 'read' && !SAFE_METHODS.includes(route.method)) return 'TOKEN_READ_ONLY';
  if (route.access === 'public') return 'ok';
  if (!viewer) return 'NOT_SIGNED_IN';
  // Another tab of the browser has signed in as somebody else: what stands in this one is not theirs.
  if (viewer.scope === null && (route.pageAccountId ?? String(viewer.userId)) !== String(viewer.userId))
    return 'ACCOUNT_CHANGED';
  // A profile is finished first: its routes and those of the factors are not the same.
  const isCompletingProfile = (viewer.restricted || viewer.isReader) && route.allowRestricted;
  if (!isCompletingProfile && (viewer.restricted || (viewer.isReader && !isReadableByReaders(route))))
    return 'PROFILE_INCOMPLETE';
  if (viewer.needsMfaSetup && !isCompletingProfile && !route.skipMfaRequirement) return 'FACTOR_NEEDED';
  if (viewer.scope !== null && route.sessionOnly) return 'SESSION_REQUIRED';
  if (!hasRequiredRole(viewer, route.access)) return 'FORBIDDEN';
  return route.confirmed && !viewer.isReauthenticated ? 'CONFIRMATION_REQUIRED' : 'ok';
}

/** Readers read, and change what is their own; administration is not for them, whoever they are. */
function isReadableByReaders({ access, method, allowReader }: RouteAccess): boolean {
  return access === 'signed-in' && (allowReader || SAFE_METHODS.includes(method));
}

function hasRequiredRole(viewer: Viewer, access: Access): boolean {
  if (access === 'signed-in') return true;
  if (viewer.scope !== null && viewer.scope !== 'admin') return false;
  return access === 'admin' ? isStaff(viewer) : viewer.isSuperAdmin;
}
