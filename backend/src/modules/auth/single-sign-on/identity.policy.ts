import type { User } from '../entities/user.entity.js';

/**
 * A password proves ownership only if the address is verified too: someone else may have set the password of an
 * unverified account. Otherwise an emailed code is required.
 */
export function canConfirmByPassword({ password, emailVerified }: Pick<User, 'password' | 'emailVerified'>): boolean {
  return password != null && emailVerified;
}

/** An identity may be unlinked while there is another way to sign in. */
export function canUnlinkIdentity({ password }: Pick<User, 'password'>, identities: number): boolean {
  return password != null || identities > 1;
}
