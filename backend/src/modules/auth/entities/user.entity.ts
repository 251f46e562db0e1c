import { defineEntity, p } from '@mikro-orm/core';
import type { Language } from '../../../platform/errors/app-error.js';

/** A person with an address: owner, member or both. E-mail and user name are kept in lower case. */
export const UserSchema = defineEntity({
  name: 'User',
  tableName: 'users',
  indexes: [
    {
      // By which administrators find people; the letters are folded as in `foldForSearch`.
      name: 'users_search_index',
      expression: `create index "users_search_index" on "users" using gin (lower(translate("email" || ' ' || coalesce("username", '') || ' ' || coalesce("first_name", '') || ' ' || coalesce("last_name", ''), 'Iİı', 'iii')) gin_trgm_ops)`,
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
    language: p.string().$type<Language>().length(5).default('en'),
    timeZone: p.string().length(60).nullable(),
    postalAddress: p.string().length(500).nullable(),
    /** Whether an owner is written to when somebody accepts an invitation. */
    notifyAcceptedInvitations: p.boolean().default(true),
    /** Whether a mail tells what became of the person's suggestions. */
    notifySuggestions: p.boolean().default(true),
    deactivatedAt: p.datetime().nullable(),
    /** Set when the person deletes the account: the row holds nothing of them any more, and a job removes it. */
    erasedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export class User extends UserSchema.class {}
UserSchema.setClass(User);
