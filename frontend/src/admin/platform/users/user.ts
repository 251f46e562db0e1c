import type { TFunction } from 'i18next';
import type { Schema } from '../../../shared/api/client';
import { NO_LAST_NAME } from '../../../shared/format/person';
import type { BadgeTone } from '../../../shared/ui/badge';

export type User = Schema<'AdminUserDto'>;
export type UserDetail = Schema<'AdminUserDetailDto'>;

export const userStates = ['active', 'pending', 'deactivated'] as const;
export const plans = ['free', 'starter', 'creator', 'pro-creator', 'enterprise'] as const;
export type Plan = (typeof plans)[number];
export const userRoles = ['user', 'admin', 'super-admin'] as const;

export const stateTones: Record<User['state'], BadgeTone> = {
  active: 'success',
  pending: 'warning',
  deactivated: 'danger',
};

export const toRoleName = ({ role, isSuperAdmin }: Pick<User, 'role' | 'isSuperAdmin'>) =>
  isSuperAdmin ? 'super-admin' : role;

/** The name, else the email address. */
export function getDisplayName({ firstName, lastName, email }: Pick<User, 'firstName' | 'lastName' | 'email'>): string {
  return [firstName, lastName === NO_LAST_NAME ? '' : lastName].filter(Boolean).join(' ') || email;
}

/** Formats a limit and its usage. */
export function formatUsage(
  { metric, used, allowed }: Schema<'UsageDto'>,
  format: { number: (value: number) => string; size: (bytes: number) => string },
  t: TFunction<'admin'>,
): string {
  const formatValue = metric === 'bytes' ? format.size : format.number;
  return allowed === null
    ? t('users.usedUnlimited', { used: formatValue(used) })
    : t('users.usedOf', { used: formatValue(used), allowed: formatValue(allowed) });
}
