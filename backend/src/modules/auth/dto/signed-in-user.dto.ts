import type { Language } from '../../../platform/errors/app-error.js';
import type { User } from '../entities/user.entity.js';
import { getMissingProfileParts, needsProfileCompletion } from '../access/user.policy.js';

/** The signed-in user. */
export class SignedInUserDto {
  id: number;
  email: string;
  firstName: string | null;
  /** "." stands for no last name. */
  lastName: string | null;
  username: string | null;
  role: 'user' | 'admin';
  isSuperAdmin: boolean;
  emailVerified: boolean;
  profileImageUrl: string | null;
  /** free, starter, creator, pro-creator or enterprise. */
  plan: string;
  language: 'en' | 'tr';
  /** IANA name, such as Europe/Istanbul. */
  timeZone: string | null;
  /** True while names, the username or a permanent way to sign in are missing. */
  needsProfileCompletion: boolean;
  /**
   * True if the profile is incomplete and the session may read. Changes that others see answer PROFILE_INCOMPLETE.
   * False in a session with a temporary password, which allows only complete-profile, change-password, accept-invite,
   * the current user and logout.
   */
  // `hasIncompleteProfile` in the code; the API keeps the older name.
  isReader: boolean;
  /** Only a permanent password is missing: /change-password. */
  requiresPasswordChange: boolean;
  /** Names or the username are missing: /complete-profile. */
  requiresProfileCompletion: boolean;
  createdAt: Date;
}

/** @param restricted whether the session is restricted */
export function toSignedInUserDto(user: User, restricted = false): SignedInUserDto {
  return {
    id: user.id,
    email: user.email,
    firstName: user.firstName ?? null,
    lastName: user.lastName ?? null,
    username: user.username ?? null,
    role: user.role,
    isSuperAdmin: user.isSuperAdmin,
    emailVerified: user.emailVerified,
    profileImageUrl: user.profileImageUrl ?? null,
    plan: user.plan,
    language: user.language as Language,
    timeZone: user.timeZone ?? null,
    needsProfileCompletion: restricted || needsProfileCompletion(user),
    isReader: !restricted && needsProfileCompletion(user),
    ...getMissingProfileParts(user),
    createdAt: user.createdAt,
  };
}
