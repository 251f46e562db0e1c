import type { TFunction } from 'i18next';
import type { Schema } from '../../../shared/api/client';
import type { BadgeTone } from '../../../shared/ui/badge';

export type User = Schema<'AdminUserDto'>;
export type UserDetail = Schema<'AdminUserDetailDto'>;

export const states = ['active', 'pending', 'deactivated'] as const;
export const plans = ['free', 'starter', 'creator', 'pro-creator', 'enterprise'] as const;
export type Plan = (typeof plans)[number];
export const roles = ['user', 'admin', 'super-admin'] as const;

export const stateTones: Record<User['state'], BadgeTone> = {
  active: 'success',
  pending: 'warning',
  deactivated: 'danger',
};

export const roleOf = ({ role, isSuperAdmin }: Pick<User, 'role' | 'isSuperAdmin'>) =>
  isSuperAdmin ? 'super-admin' : role;

/** What somebody is called in the lists: the name, else the address. */
export function calledName({ firstName, lastName, email }: Pick<User, 'firstName' | 'lastName' | 'email'>): string {
  return [firstName, lastName === '.' ? '' : lastName].filter(Boolean).join(' ') || email;
}

/** A limit and what is used of it, in words. */
export function usageText(
  { metric, used, allowed }: Schema<'UsageDto'>,
  show: { number: (value: number) => string; size: (bytes: number) => string },
  t: TFunction<'admin'>,
): string {
  const words = metric === 'bytes' ? show.size : show.number;
  return allowed === null
    ? t('users.usedUnlimited', { used: words(used) })
    : t('users.usedOf', { used: words(used), allowed: words(allowed) });
}
