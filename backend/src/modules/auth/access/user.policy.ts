import type { User } from '../entities/user.entity.js';

type Completeness = Pick<User, 'password' | 'username' | 'firstName' | 'hasExternalIdentity'>;

/** What somebody in a restricted session is asked for; at most one of the two. */
export interface MissingParts {
  /** The names are known: only a way of their own to sign in is missing, a password or an identity of a provider. */
  readonly requiresPasswordChange: boolean;
  /** Names and user name are asked for, and a password with them. */
  readonly requiresProfileCompletion: boolean;
}

/** Whether somebody can sign in without being sent an email: by a password or an identity provider. */
export function hasOwnSignIn(user: Pick<Completeness, 'password' | 'hasExternalIdentity'>): boolean {
  return user.password != null || user.hasExternalIdentity;
}

/**
 * Whether an administrator's invitation may set the first password: nobody has used the account yet, and it is no super
 * admin's, who can do the most harm.
 * @param superAdminEmail SUPER_ADMIN_EMAIL, whose account becomes a super admin's once its address is proved
 */
export function isInvitable(
  user: Pick<User, 'password' | 'hasExternalIdentity' | 'emailVerified' | 'isSuperAdmin' | 'email'>,
  superAdminEmail: string | null,
): boolean {
  return !hasOwnSignIn(user) && !user.emailVerified && !user.isSuperAdmin && user.email !== superAdminEmail;
}

/** `hasOwnSignIn` in SQL, in a query over `users u`. */
export const hasOwnSignInSql = `(u.password is not null or u.has_external_identity)`;

/** `needsProfileCompletion` in SQL, in a query over `users u`. */
export const isUnfinished = `(u.username is null or u.first_name is null or (u.password is null and not u.has_external_identity))`;

/**
 * True while the person still has to set names, a user name or a password of their own.
 * @param connecting an identity of a provider is about to be connected, which signs in as well as a password
 */
export function needsProfileCompletion(user: Completeness, connecting = false): boolean {
  const { requiresPasswordChange, requiresProfileCompletion } = missingParts(user, connecting);
  return requiresPasswordChange || requiresProfileCompletion;
}

/**
 * What is missing until the account is complete.
 * @param connecting an identity of a provider is about to be connected
 */
export function missingParts(user: Completeness, connecting = false): MissingParts {
  const { password, username, firstName, hasExternalIdentity } = user;
  const named = username != null && firstName != null;
  return {
    requiresPasswordChange: named && password == null && !hasExternalIdentity && !connecting,
    requiresProfileCompletion: !named,
  };
}
