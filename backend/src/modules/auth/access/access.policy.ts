import type { Access } from '../../../platform/http/access.decorator.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';

/** What a route declares about who may call it. */
export interface RouteAccess {
  readonly access: Access;
  readonly method: string;
  readonly allowRestricted: boolean;
  readonly allowIncompleteProfile: boolean;
  readonly skipMfaRequirement: boolean;
  readonly sessionOnly: boolean;
  readonly confirmed: boolean;
  /** The account for which the calling page was opened (header `X-Account`); undefined when the page does not say. */
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

/** Returns true for admins and super admins of the installation. */
export function isStaff({ role, isSuperAdmin }: Pick<Viewer, 'role' | 'isSuperAdmin'>): boolean {
  return isSuperAdmin || role === 'admin';
}

/** Returns true if the installation requires a second factor of this user (`STAFF_MFA`), enrolled or not. */
export function requiresMfa(person: Pick<Viewer, 'role' | 'isSuperAdmin'>, isStaffMfaRequired: boolean): boolean {
  return isStaffMfaRequired && isStaff(person);
}

/**
 * Decides whether the viewer may call the route. Permissions on single objects are in the policies of their modules.
 */
export function decideAccess(viewer: Viewer | null, route: RouteAccess): AccessDecision {
  // Comes first: public routes, too, can change data of the token's owner.
  if (viewer?.scope === 'read' && !SAFE_METHODS.includes(route.method)) return 'TOKEN_READ_ONLY';
  if (route.access === 'public') return 'ok';
  if (!viewer) return 'NOT_SIGNED_IN';
  // Another tab of this browser has signed in to a different account, so this page shows someone else's data.
  if (viewer.scope === null && (route.pageAccountId ?? String(viewer.userId)) !== String(viewer.userId))
    return 'ACCOUNT_CHANGED';
  // The profile is completed before MFA is set up: the two need different routes.
  const isCompletingProfile = (viewer.restricted || viewer.hasIncompleteProfile) && route.allowRestricted;
  if (!isCompletingProfile && (viewer.restricted || (viewer.hasIncompleteProfile && !allowsIncompleteProfile(route))))
    return 'PROFILE_INCOMPLETE';
  if (viewer.needsMfaSetup && !isCompletingProfile && !route.skipMfaRequirement) return 'FACTOR_NEEDED';
  if (viewer.scope !== null && route.sessionOnly) return 'SESSION_REQUIRED';
  if (!hasRequiredRole(viewer, route.access)) return 'FORBIDDEN';
  return route.confirmed && !viewer.isReauthenticated ? 'CONFIRMATION_REQUIRED' : 'ok';
}

/** Users with an incomplete profile can only read and call `@AllowIncompleteProfile` routes; never admin routes. */
function allowsIncompleteProfile({ access, method, allowIncompleteProfile }: RouteAccess): boolean {
  return access === 'signed-in' && (allowIncompleteProfile || SAFE_METHODS.includes(method));
}

function hasRequiredRole(viewer: Viewer, access: Access): boolean {
  if (access === 'signed-in') return true;
  if (viewer.scope !== null && viewer.scope !== 'admin') return false;
  return access === 'admin' ? isStaff(viewer) : viewer.isSuperAdmin;
}
