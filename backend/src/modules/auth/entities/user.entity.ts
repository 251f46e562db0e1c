import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import type { Language } from '../../../platform/errors/app-error.js';

/** A user with an address: owner, member or both. Email address and username are stored in lower case. */
export const UserSchema = defineEntity({
  name: 'User',
  tableName: 'users',
  indexes: [
    {
      // For the user search of administrators; see `normaliseForSearchSql`.
      name: 'users_search_index',
      expression: `create index "users_search_index" on "users" using gin (search_fold("email" || ' ' || coalesce("username", '') || ' ' || coalesce("first_name", '') || ' ' || coalesce("last_name", '')) gin_trgm_ops)`,
    },
    {
      // By displayed name, for sorting users in administration.
      name: 'users_name_index',
      expression: `create index "users_name_index" on "users" ((coalesce("first_name" || coalesce(' ' || nullif("last_name", '.'), ''), "email") collate "tr_numeric"), "id") where erased_at is null`,
    },
    { name: 'users_present_index', properties: ['id'], where: 'erased_at is null' },
    { name: 'users_plan_id_index', properties: ['plan', 'id'] },
    { name: 'users_staff_index', properties: ['id'], where: "role <> 'user' or is_super_admin" },
    { name: 'users_deactivated_index', properties: ['id'], where: 'deactivated_at is not null' },
    { name: 'users_pending_index', properties: ['id'], where: 'not email_verified' },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    email: p.string().length(255).unique('users_email_unique'),
    password: p.string().length(255).nullable(),
    firstName: p.string().length(100).nullable(),
    lastName: p.string().length(100).nullable(),
    username: p.string().length(50).nullable().unique('users_username_unique'),
    usernameChangedAt: p.datetime().nullable(),
    usernameChangeCount: p.integer().default(0),
    profileImageUrl: p.string().length(500).nullable(),
    plan: p.string().length(50).default('free'),
    role: p.string().$type<'user' | 'admin'>().length(20).default('user'),
    isSuperAdmin: p.boolean().default(false),
    stripeCustomerId: p.string().length(255).nullable().unique('users_stripe_customer_id_unique'),
    stripeSubscriptionId: p.string().length(255).nullable().unique('users_stripe_subscription_id_unique'),
    subscriptionStatus: p.string().length(50).default('active'),
    emailVerified: p.boolean().default(false),
    /** True while an identity of a provider is linked, which allows signing in without a password. */
    hasExternalIdentity: p.boolean().default(false),
    language: p.string().$type<Language>().length(5).default('en'),
    timeZone: p.string().length(60).nullable(),
    postalAddress: p.string().length(500).nullable(),
    /** Whether an owner is emailed when someone accepts an invitation. */
    notifyAcceptedInvitations: p.boolean().default(true),
    /** Whether the user is emailed about the outcome of their suggestions. */
    notifySuggestions: p.boolean().default(true),
    /** Whether an administrator gets the daily digest of the installation. */
    notifyAdministration: p.boolean().default(false),
    /** The checklist for new owners: completed steps that no other row records, and whether it was closed. */
    startSteps: p.json<Readonly<Record<string, true>>>().nullable(),
    deactivatedAt: p.datetime().nullable(),
    /** Set when the user deletes the account: the row then holds no personal data, and a job deletes it. */
    erasedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export class User extends UserSchema.class {}
UserSchema.setClass(User);

/** A change of username, stored while it counts against the limit. Setting the first username does not count. */
export const UsernameChangeSchema = defineEntity({
  name: 'UsernameChange',
  tableName: 'username_changes',
  indexes: [
    { name: 'username_changes_user_id_index', properties: ['userId', 'changedAt'] },
    { name: 'username_changes_changed_at_index', properties: ['changedAt'] },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    userId: () => belongsTo(User, 'username_changes', 'user_id'),
    changedAt: p.datetime(),
  },
});
export class UsernameChange extends UsernameChangeSchema.class {}
UsernameChangeSchema.setClass(UsernameChange);

/** Placeholder in `users.last_name` and `invitations.last_name` for a missing last name. */
export const NO_LAST_NAME = '.';

export interface PersonName {
  readonly firstName?: string | null;
  readonly lastName?: string | null;
}

/** Returns the last name for display, or null if there is none. */
export function displayedLastName({ lastName }: PersonName): string | null {
  return lastName && lastName !== NO_LAST_NAME ? lastName : null;
}

/** Returns first and last name for display; empty if both are missing. */
export function fullName(person: PersonName): string {
  return [person.firstName, displayedLastName(person)].filter(Boolean).join(' ');
}
