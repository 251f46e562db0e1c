import type { User } from './entities/user.entity.js';

/** True while the person still has to set names, a user name or a password of their own. */
export function needsProfileCompletion(user: Pick<User, 'password' | 'username' | 'firstName'>): boolean {
  return user.password === null || user.username === null || user.firstName === null;
}
