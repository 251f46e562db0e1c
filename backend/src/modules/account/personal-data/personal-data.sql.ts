import { sql } from 'kysely';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { emailAndPaymentTables } from './email-and-payment-tables.sql.js';
import { matchesUserId, type PersonalTable, type PersonalTableDefinition } from './personal-table.sql.js';
import { zoneTables } from './zone-tables.sql.js';

/** The account, its sessions, devices, tokens and factors, without any secret. */
const accountTables = freezeList<readonly PersonalTableDefinition[]>([
  {
    table: 'users',
    columns: 'email first_name last_name username profile_image_url postal_address stripe_customer_id',
    exported: {
      name: 'account',
      fields: `id, email, username, role, plan, language, is_super_admin, first_name, last_name, profile_image_url,
        email_verified, time_zone, postal_address, notify_accepted_invitations, notify_suggestions,
        notify_administration, start_steps, username_changed_at, username_change_count, subscription_status, created_at, updated_at`,
      of: matchesUserId('id'),
      atOnce: 'id',
    },
    erased: [{ otherwise: 'The deletion empties the row at its beginning, and removes it at its end.' }],
  },
  {
    table: 'sessions',
    columns: 'user_id ip_address user_agent',
    exported: {
      name: 'sessions',
      fields: 'id, ip_address, user_agent, restricted, created_at, last_seen_at, expire as expires_at',
    },
  },
  {
    table: 'known_devices',
    columns: 'user_id network user_agent',
    exported: { name: 'devices', fields: 'id, network, user_agent, first_seen_at, last_seen_at' },
  },
  {
    table: 'api_tokens',
    columns: 'user_id',
    exported: { name: 'apiTokens', fields: 'id, name, scope, created_at, expires_at, last_used_at' },
  },
  {
    table: 'security_events',
    columns: 'user_id network',
    exported: { name: 'security', fields: 'id, kind, detail, network, count, first_at, last_at' },
    erased: [{ remove: 'at once', of: matchesUserId('user_id') }],
  },
  {
    table: 'external_identities',
    columns: 'user_id email subject',
    exported: { name: 'externalIdentities', fields: 'id, issuer, subject, email, created_at, last_used_at' },
  },
  {
    table: 'email_changes',
    columns: 'user_id old_email new_email',
    exported: { name: 'emailChanges', fields: 'id, old_email, new_email, by_admin, changed_at, undone_at' },
  },
  {
    table: 'authenticators',
    columns: 'user_id',
    exported: {
      // Only that one exists, and since when.
      name: 'authenticators',
      fields: 'confirmed_at as enrolled_at',
      of: (person) => sql`${matchesUserId('user_id')(person)} and confirmed_at is not null`,
      atOnce: 'confirmed_at',
    },
  },
  {
    table: 'passkeys',
    columns: 'user_id',
    exported: { name: 'passkeys', fields: 'id, name, created_at, last_used_at' },
  },
  { table: 'api_token_networks', columns: 'network', erased: [{ otherwise: 'They go with the token.' }] },
  { table: 'recovery_codes', columns: 'user_id' },
  { table: 'pending_sign_ins', columns: 'user_id subject identity_email' },
  { table: 'pending_identity_links', columns: 'user_id subject email' },
  { table: 'username_changes', columns: 'user_id' },
  {
    table: 'email_verifications',
    columns: 'email',
    erased: [{ otherwise: 'The request to delete the account removes them.' }],
  },
  {
    table: 'single_use_tokens',
    columns: 'email',
    erased: [{ otherwise: 'The request to delete the account removes them.' }],
  },
  {
    table: 'erasures',
    columns: 'user_id email',
    erased: [{ otherwise: 'The farewell needs the address, and forgets it.' }],
  },
  {
    table: 'audit_log',
    columns: 'actor_id subject_id ip_address',
    erased: [{ otherwise: 'The last step of the deletion takes the person out.' }],
  },
  {
    table: 'installation_settings',
    columns: 'changed_by_id',
    erased: [{ otherwise: 'The last step of the deletion takes the person out.' }],
  },
  {
    table: 'activity',
    columns: 'user_id owner_id',
    exported: {
      name: 'activity',
      fields: 'id, type, params, zone_id, file_id, created_at',
      pagedBy: 'created_at timestamptz, id bigint',
    },
    // Activity in other people's zones stays, under a user id that no longer exists.
    erased: [{ remove: 'in batches', by: 'id, created_at', of: matchesUserId('owner_id') }],
  },
  {
    table: 'file_openings',
    columns: 'user_id',
    exported: {
      name: 'openedFiles',
      fields: 'file_id, first_at, last_at, views, downloads',
      pagedBy: 'file_id bigint',
    },
  },
  {
    table: 'file_readers',
    columns: 'user_id',
    exported: {
      name: 'readFiles',
      fields: 'file_id, version, first_at, last_at, ms, pages_read, last_page',
      pagedBy: 'file_id bigint, version int',
    },
  },
  {
    table: 'page_reads',
    columns: 'user_id',
    exported: {
      name: 'readPages',
      fields: 'id, file_id, version, page, ms, created_at',
      pagedBy: 'created_at timestamptz, id bigint',
    },
    erased: [{ remove: 'in batches', by: 'id, created_at', of: matchesUserId('user_id') }],
  },
  { table: 'reader_batches', columns: 'user_id' },
  {
    table: 'owner_plans',
    columns: 'owner_id',
    exported: {
      name: 'plan',
      fields: 'subscribed_plan, granted_plan, updated_at, zones, people, bytes, mails, invites',
      of: matchesUserId('owner_id'),
      atOnce: 'owner_id',
    },
  },
  {
    table: 'usage',
    columns: 'owner_id',
    exported: {
      // One row per metric and month, so there are never many.
      name: 'usage',
      fields: 'metric, period, used, allowed',
      of: matchesUserId('owner_id'),
      atOnce: 'metric, period',
    },
  },
  {
    table: 'usage_warnings',
    columns: 'owner_id',
    exported: {
      name: 'limitWarnings',
      fields: 'metric, month, level, warned_at',
      of: matchesUserId('owner_id'),
      atOnce: 'warned_at desc',
    },
  },
]);

/** All personal data, in the order of export and erasure. A test compares it with the columns of the schema. */
export const personalData: readonly PersonalTable[] = freezeList(
  [...accountTables, ...zoneTables, ...emailAndPaymentTables].map((entry) => ({
    ...entry,
    exported: [entry.exported ?? []].flat(),
    erased: entry.erased ?? ['goes with the account'],
  })),
);
