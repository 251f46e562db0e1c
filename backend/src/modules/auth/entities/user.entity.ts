import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import type { Language } from '../../../platform/errors/app-error.js';

/** A person with an address: owner, member or both. E-mail and user name are kept in lower case. */
export const UserSchema = defineEntity({
  name: 'User',
  tableName: 'users',
  indexes: [
    {
      // By which administrators find people; see `normaliseForSearchSql`.
      name: 'users_search_index',
      expression: `create index "users_search_index" on "users" using gin (search_fold("email" || ' ' || coalesce("username", '') || ' ' || coalesce("first_name", '') || ' ' || coalesce("last_name", '')) gin_trgm_ops)`,
    },
    {
      // By the name that is shown, as administrators sort people.
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
    /** True while an identity of a provider is linked: a way to sign in without a password. */
    hasExternalIdentity: p.boolean().default(false),
    language: p.string().$type<Language>().length(5).default('en'),
    timeZone: p.string().length(60).nullable(),
    postalAddress: p.string().length(500).nullable(),
    /** Whether an owner is written to when somebody accepts an invitation. */
    notifyAcceptedInvitations: p.boolean().default(true),
    /** Whether a mail tells what became of the person's suggestions. */
    notifySuggestions: p.boolean().default(true),
    /** Whether an administrator gets the news of the installation once a day. */
    notifyAdministration: p.boolean().default(false),
    /** Of the list for new owners: what was done of it that no other row tells, and whether it was closed. */
    startSteps: p.json<Readonly<Record<string, true>>>().nullable(),
    deactivatedAt: p.datetime().nullable(),
    /** Set when the person deletes the account: the row holds nothing of them any more, and a job removes it. */
    erasedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export class User extends UserSchema.class {}
UserSchema.setClass(User);

/** A change of a user name, kept for as long as it counts against the limit. The first setting is none. */
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

/** What `users.last_name` and `invitations.last_name` hold of a person without a last name. */
export const NO_LAST_NAME = '.';

export interface PersonName {
  readonly firstName?: string | null;
  readonly lastName?: string | null;
}

/** The last name as people read it; null when there is none. */
export function displayedLastName({ lastName }: PersonName): string | null {
  return lastName && lastName !== NO_LAST_NAME ? lastName : null;
}

/** First and last name as people read them; empty when both are missing. */
export function fullName(person: PersonName): string {
  return [person.firstName, displayedLastName(person)].filter(Boolean).join(' ');
}
