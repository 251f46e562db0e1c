import { isStaff } from '../auth/access/access.policy.js';
import { freezeList } from '../../platform/constants/freeze-list.js';

interface AdminViewer {
  readonly userId: number;
  readonly role: 'user' | 'admin';
  readonly isSuperAdmin: boolean;
}

/** The account that the action affects. */
interface Account {
  readonly id: number;
  readonly role: 'user' | 'admin';
  readonly isSuperAdmin: boolean;
  readonly deactivatedAt: Date | null;
}

/**
 * Returns what the viewer may do with an account. Super admins may do everything to other accounts, but only change the
 * plan of their own. Admins may help ordinary users who can't sign in, and can't affect other staff.
 */
export function getUserAbilities(viewer: AdminViewer, account: Account) {
  const isOther = viewer.userId !== account.id;
  const isDeactivated = account.deactivatedAt !== null;
  const canHelp = isOther && (viewer.isSuperAdmin || (isStaff(viewer) && !isStaff(account)));
  const canManage = isOther && viewer.isSuperAdmin;
  return {
    activate: canManage && isDeactivated,
    deactivate: canManage && !isDeactivated,
    changeRole: canManage,
    changePlan: viewer.isSuperAdmin,
    changeEmail: canManage,
    resetFactors: canManage,
    endSessions: canHelp,
    sendReset: canHelp && !isDeactivated,
    delete: canManage,
  };
}

export type UserAbilities = ReturnType<typeof getUserAbilities>;

/** Returns what the viewer may do with anyone's zone. Its content stays inaccessible. */
export function getZoneAbilities(viewer: Pick<AdminViewer, 'isSuperAdmin'>): { delete: boolean } {
  return { delete: viewer.isSuperAdmin };
}

export const userStates = freezeList(['active', 'pending', 'deactivated']);
/** `pending`: the address is unverified. Super admins, who are created without an email, need not verify theirs. */
export type UserState = (typeof userStates)[number];

export function getUserState(account: {
  readonly deactivatedAt: Date | null;
  readonly emailVerified: boolean;
  readonly isSuperAdmin: boolean;
}): UserState {
  if (account.deactivatedAt) return 'deactivated';
  return account.emailVerified || account.isSuperAdmin ? 'active' : 'pending';
}

/** Only suppressions for failed deliveries may be lifted. A complaint or a deletion is the user's own decision. */
export const canLiftSuppression = (reason: string): boolean => reason === 'failed';

/** Stripe's customer pages are restricted to super admins. */
export const canOpenStripe = ({ isSuperAdmin }: Pick<AdminViewer, 'isSuperAdmin'>): boolean => isSuperAdmin;

/** Restoring stored objects, or deleting them permanently, is restricted to super admins. */
export const canRestoreObjects = ({ isSuperAdmin }: Pick<AdminViewer, 'isSuperAdmin'>): boolean => isSuperAdmin;
