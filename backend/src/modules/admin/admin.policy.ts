import { isStaff } from '../auth/access/access.policy.js';
import { catalogue } from '../../platform/catalogue/catalogue.js';

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

/**
 * Super admins do all of it, but nothing to their own account save its plan; admins help ordinary people who cannot get
 * in, and touch no other admin.
 */
export function userAbilities(viewer: Asking, account: Account) {
  const isOther = viewer.userId !== account.id;
  const isDeactivated = account.deactivatedAt !== null;
  const helps = isOther && (viewer.isSuperAdmin || (isStaff(viewer) && !isStaff(account)));
  const rules = isOther && viewer.isSuperAdmin;
  return {
    activate: rules && isDeactivated,
    deactivate: rules && !isDeactivated,
    changeRole: rules,
    changePlan: viewer.isSuperAdmin,
    changeEmail: rules,
    resetFactors: rules,
    endSessions: helps,
    sendReset: helps && !isDeactivated,
    delete: rules,
  };
}

export type UserAbilities = ReturnType<typeof userAbilities>;

/** What the viewer may do with a zone of anybody; what lies in it stays closed to them. */
export function zoneAbilities(viewer: Pick<Asking, 'isSuperAdmin'>): { delete: boolean } {
  return { delete: viewer.isSuperAdmin };
}

export const userStates = catalogue(['active', 'pending', 'deactivated']);
/** `pending`: the address has not been verified; super admins, who are made without an email, need not verify it. */
export type UserState = (typeof userStates)[number];

export function userState(account: {
  readonly deactivatedAt: Date | null;
  readonly emailVerified: boolean;
  readonly isSuperAdmin: boolean;
}): UserState {
  if (account.deactivatedAt) return 'deactivated';
  return account.emailVerified || account.isSuperAdmin ? 'active' : 'pending';
}

/** Only what failed may be lifted; a complaint or a deletion is the person's own word. */
export const canLift = (reason: string): boolean => reason === 'failed';

/** The pages of Stripe about a customer are for who answers for the installation. */
export const opensStripe = ({ isSuperAdmin }: Pick<Asking, 'isSuperAdmin'>): boolean => isSuperAdmin;

/** Putting stored objects back, or removing them for good, is for who answers for the installation. */
export const canRestore = ({ isSuperAdmin }: Pick<Asking, 'isSuperAdmin'>): boolean => isSuperAdmin;
