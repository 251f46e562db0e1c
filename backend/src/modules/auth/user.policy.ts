import type { User } from './entities/user.entity.js';

type Completeness = Pick<User, 'password' | 'username' | 'firstName'>;

/** What somebody in a restricted session is asked for; at most one of the two. */
export interface MissingParts {
  /** The names are known: only a password of their own is missing. */
  readonly requiresPasswordChange: boolean;
  /** Names and user name are asked for, and a password with them. */
  readonly requiresProfileCompletion: boolean;
}

/** True while the person still has to set names, a user name or a password of their own. */
export function needsProfileCompletion(user: Completeness): boolean {
  const { requiresPasswordChange, requiresProfileCompletion } = missingParts(user);
  return requiresPasswordChange || requiresProfileCompletion;
}

/** What is missing until the account is complete. */
export function missingParts({ password, username, firstName }: Completeness): MissingParts {
  const named = username != null && firstName != null;
  return { requiresPasswordChange: named && password == null, requiresProfileCompletion: !named };
}
