import type { User } from '../entities/user.entity.js';

type ProfileFields = Pick<User, 'password' | 'username' | 'firstName' | 'hasExternalIdentity'>;

/** What somebody in a restricted session is asked for; at most one of the two. */
export interface MissingProfileParts {
  /** The names are known: only a way of their own to sign in is missing, a password or an identity of a provider. */
  readonly requiresPasswordChange: boolean;
  /** Names and user name are asked for, and a password with them. */
  readonly requiresProfileCompletion: boolean;
}

/** Whether somebody can sign in without being sent an email: by a password or an identity provider. */
export function hasPermanentSignIn(user: Pick<ProfileFields, 'password' | 'hasExternalIdentity'>): boolean {
  return user.password != null || user.hasExternalIdentity;
}

/**
 * Whether an administrator's invitation may set the first password: nobody has used the account yet, and it is no super
 * admin's, who can do the most harm.
 * @param superAdminEmail SUPER_ADMIN_EMAIL, whose account becomes a super admin's once its address is proved
 */
export function canReceiveAccountInvitation(
  user: Pick<User, 'password' | 'hasExternalIdentity' | 'emailVerified' | 'isSuperAdmin' | 'email'>,
  superAdminEmail: string | null,
): boolean {
  return !hasPermanentSignIn(user) && !user.emailVerified && !user.isSuperAdmin && user.email !== superAdminEmail;
}

/** `hasPermanentSignIn` in SQL, in a query over `users u`. */
export const hasPermanentSignInSql = `(u.password is not null or u.has_external_identity)`;

/** `needsProfileCompletion` in SQL, in a query over `users u`. */
export const isProfileIncompleteSql = `(u.username is null or u.first_name is null or (u.password is null and not u.has_external_identity))`;

/**
 * True while the person still has to set names, a user name or a password of their own.
 * @param connecting an identity of a provider is about to be connected, which signs in as well as a password
 */
export function needsProfileCompletion(user: ProfileFields, isLinkingIdentity = false): boolean {
  const { requiresPasswordChange, requiresProfileCompletion } = getMissingProfileParts(user, isLinkingIdentity);
  return requiresPasswordChange || requiresProfileCompletion;
}

/**
 * What is missing until the account is complete.
 * @param connecting an identity of a provider is about to be connected
 */
export function getMissingProfileParts(user: ProfileFields, isLinkingIdentity = false): MissingProfileParts {
  const { password, username, firstName, hasExternalIdentity } = user;
  const hasNames = username != null && firstName != null;
  return {
    requiresPasswordChange: hasNames && password == null && !hasExternalIdentity && !isLinkingIdentity,
    requiresProfileCompletion: !hasNames,
  };
}
