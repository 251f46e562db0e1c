import { isStaff } from '../auth/access.policy.js';

/** Who asks. */
interface Asking {
  readonly userId: number;
  readonly role: 'user' | 'admin';
  readonly isSuperAdmin: boolean;
}

/** The account that it is about. */
interface Account {
  readonly id: number;
  readonly role: 'user' | 'admin';
  readonly isSuperAdmin: boolean;
  readonly deactivatedAt: Date | null;
}

/** What the viewer may do with an account. */
export interface UserAbilities {
  activate: boolean;
  deactivate: boolean;
  changeRole: boolean;
  changePlan: boolean;
  endSessions: boolean;
  sendReset: boolean;
}

/**
 * Super admins do all of it, but nothing to their own account save its plan; admins help ordinary people who cannot get
 * in, and touch no other admin.
 */
export function userAbilities(viewer: Asking, account: Account): UserAbilities {
  const isOther = viewer.userId !== account.id;
  const isDeactivated = account.deactivatedAt !== null;
  const helps = isOther && (viewer.isSuperAdmin || (isStaff(viewer) && !isStaff(account)));
  const rules = isOther && viewer.isSuperAdmin;
  return {
    activate: rules && isDeactivated,
    deactivate: rules && !isDeactivated,
    changeRole: rules,
    changePlan: viewer.isSuperAdmin,
    endSessions: helps,
    sendReset: helps && !isDeactivated,
  };
}

/** What the viewer may do with a zone of anybody; what lies in it stays closed to them. */
export function zoneAbilities(viewer: Pick<Asking, 'isSuperAdmin'>): { delete: boolean } {
  return { delete: viewer.isSuperAdmin };
}

export const userStates = ['active', 'pending', 'deactivated'] as const;
/** `pending`: the address has not been verified. */
export type UserState = (typeof userStates)[number];

export function userState(account: {
  readonly deactivatedAt: Date | null;
  readonly emailVerified: boolean;
}): UserState {
  if (account.deactivatedAt) return 'deactivated';
  return account.emailVerified ? 'active' : 'pending';
}

/** Only what failed may be lifted; a complaint or a deletion is the person's own word. */
export const canLift = (reason: string): boolean => reason === 'failed';
