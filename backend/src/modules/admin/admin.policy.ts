import { isStaff } from '../auth/access/access.policy.js';
import { freezeList } from '../../platform/constants/freeze-list.js';

/** Who asks. */
interface AdminViewer {
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

/**
 * Super admins do all of it, but nothing to their own account save its plan; admins help ordinary people who cannot get
 * in, and touch no other admin.
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

/** What the viewer may do with a zone of anybody; what lies in it stays closed to them. */
export function getZoneAbilities(viewer: Pick<AdminViewer, 'isSuperAdmin'>): { delete: boolean } {
  return { delete: viewer.isSuperAdmin };
}

export const userStates = freezeList(['active', 'pending', 'deactivated']);
/** `pending`: the address has not been verified; super admins, who are made without an email, need not verify it. */
export type UserState = (typeof userStates)[number];

export function getUserState(account: {
  readonly deactivatedAt: Date | null;
  readonly emailVerified: boolean;
  readonly isSuperAdmin: boolean;
}): UserState {
  if (account.deactivatedAt) return 'deactivated';
  return account.emailVerified || account.isSuperAdmin ? 'active' : 'pending';
}

/** Only what failed may be lifted; a complaint or a deletion is the person's own word. */
export const canLiftSuppression = (reason: string): boolean => reason === 'failed';

/** The pages of Stripe about a customer are for who answers for the installation. */
export const canOpenStripe = ({ isSuperAdmin }: Pick<AdminViewer, 'isSuperAdmin'>): boolean => isSuperAdmin;

/** Putting stored objects back, or removing them for good, is for who answers for the installation. */
export const canRestoreObjects = ({ isSuperAdmin }: Pick<AdminViewer, 'isSuperAdmin'>): boolean => isSuperAdmin;
