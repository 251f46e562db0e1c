import type { User } from '../entities/user.entity.js';

/**
 * A password shows whose account it is only where we know that the address is theirs too: whoever set the password of an
 * unverified one may be somebody else. There a mailed code decides.
 */
export function canConfirmByPassword({ password, emailVerified }: Pick<User, 'password' | 'emailVerified'>): boolean {
  return password != null && emailVerified;
}

/** An identity may go while there is another way to sign in. */
export function canUnlinkIdentity({ password }: Pick<User, 'password'>, identities: number): boolean {
  return password != null || identities > 1;
}
