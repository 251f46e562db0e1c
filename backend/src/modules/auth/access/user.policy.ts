import type { User } from '../entities/user.entity.js';

type ProfileFields = Pick<User, 'password' | 'username' | 'firstName' | 'hasExternalIdentity'>;

/** What a user with a restricted session must still provide. At most one of the two is true. */
export interface MissingProfileParts {
  /** The names are set; only a way to sign in is missing, either a password or an identity of a provider. */
  readonly requiresPasswordChange: boolean;
  /** Names or username are missing; a password is requested together with them. */
  readonly requiresProfileCompletion: boolean;
}

/** Returns true if the user can sign in without an emailed link or code: by password or identity provider. */
export function hasPermanentSignIn(user: Pick<ProfileFields, 'password' | 'hasExternalIdentity'>): boolean {
  return user.password != null || user.hasExternalIdentity;
}

/**
 * Returns true if an administrator's invitation may set the first password. The account must be unused and must not be
 * a super admin's, because a super admin can do the most harm.
 * @param superAdminEmail SUPER_ADMIN_EMAIL; its account becomes a super admin once the address is verified
 */
export function canReceiveAccountInvitation(
  user: Pick<User, 'password' | 'hasExternalIdentity' | 'emailVerified' | 'isSuperAdmin' | 'email'>,
  superAdminEmail: string | null,
): boolean {
  return !hasPermanentSignIn(user) && !user.emailVerified && !user.isSuperAdmin && user.email !== superAdminEmail;
}

/**
 * Returns true while names, a username or a password of the user's own are missing.
 * @param isLinkingIdentity an identity of a provider is about to be linked; it replaces a password
 */
export function needsProfileCompletion(user: ProfileFields, isLinkingIdentity = false): boolean {
  const { requiresPasswordChange, requiresProfileCompletion } = getMissingProfileParts(user, isLinkingIdentity);
  return requiresPasswordChange || requiresProfileCompletion;
}

/**
 * Returns what is missing until the account is complete.
 * @param isLinkingIdentity an identity of a provider is about to be linked; it replaces a password
 */
export function getMissingProfileParts(user: ProfileFields, isLinkingIdentity = false): MissingProfileParts {
  const { password, username, firstName, hasExternalIdentity } = user;
  const hasNames = username != null && firstName != null;
  return {
    requiresPasswordChange: hasNames && password == null && !hasExternalIdentity && !isLinkingIdentity,
    requiresProfileCompletion: !hasNames,
  };
}
