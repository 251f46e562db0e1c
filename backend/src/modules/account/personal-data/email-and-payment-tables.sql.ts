import { sql } from 'kysely';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import {
  matchedEmailAtRequest,
  matchesEmail,
  matchesUserId,
  type PersonalTableDefinition,
} from './personal-table.sql.js';

/** Payments, suggestions, join links, emails sent and received, and purchases. */
export const emailAndPaymentTables = freezeList<readonly PersonalTableDefinition[]>([
  {
    table: 'billing_accounts',
    columns: 'user_id',
    exported: {
      name: 'billing',
      fields: `u.stripe_customer_id, u.stripe_subscription_id, u.subscription_status, b.interval, b.paused, b.amount,
        b.currency, b.cancel_at_period_end, b.current_period_end, b.past_due_since`,
      from: 'billing_accounts b join users u on u.id = b.user_id',
      of: matchesUserId('b.user_id'),
      atOnce: 'b.user_id',
    },
    erased: [{ step: 'endSubscription' }, 'goes with the account'],
  },
  {
    table: 'paid_invoices',
    columns: 'user_id',
    exported: { name: 'payments', fields: 'id, amount, currency, paid_at', atOnce: 'paid_at' },
    erased: ['stays without the person'],
  },
  {
    table: 'subscription_changes',
    columns: 'user_id',
    exported: { name: 'subscriptionChanges', fields: 'id, plan_before, plan_after, changed_at' },
    erased: ['stays without the person'],
  },
  {
    table: 'stripe_events',
    columns: 'customer_id',
    erased: [
      {
        remove: 'at once',
        of: ({ id }) => sql`customer_id in (select stripe_customer_id from users where id = ${id})`,
      },
    ],
  },
  {
    table: 'feature_suggestions',
    columns: 'submitted_by_id approved_by_id',
    exported: {
      name: 'featureSuggestions',
      fields: 'id, title, description, category, status, created_at',
      of: matchesUserId('submitted_by_id'),
    },
    // Suggestions that nobody else supports and nobody has picked up are deleted. The others have become requests of
    // others.
    erased: [
      { step: 'withdrawVotes' },
      {
        remove: 'at once',
        of: (person) => sql`${matchesUserId('submitted_by_id')(person)} and vote_count = 0 and status = 'pending'`,
      },
      { blank: 'submitted_by_id', of: matchesUserId('submitted_by_id') },
      'stays without the person',
    ],
  },
  {
    table: 'feature_votes',
    columns: 'user_id',
    exported: { name: 'featureVotes', fields: 'id, suggestion_id, created_at' },
  },
  {
    table: 'pending_joins',
    columns: 'email ip_address',
    exported: {
      name: 'pendingJoins',
      fields: 'id, zone_id, consent_text, ip_address, language, created_at, expires_at, completed_at',
      of: matchesEmail('email'),
    },
    erased: [
      {
        in: 'link_usages',
        blank: 'user_id ip_address user_agent city',
        of: (person) => sql`id in (select usage_id from pending_joins where ${matchedEmailAtRequest('email')(person)})`,
      },
      {
        in: 'single_use_tokens',
        remove: 'at once',
        of: (person) => sql`${matchesEmail('email')(person)}
          and subject in (select 'join:' || id from pending_joins where ${matchedEmailAtRequest('email')(person)})`,
      },
      {
        in: 'email_verifications',
        remove: 'at once',
        of: (person) => sql`${matchesEmail('email')(person)}
          and asked_by in (select 'join:' || id from pending_joins where ${matchedEmailAtRequest('email')(person)})`,
      },
      { remove: 'at once', of: matchedEmailAtRequest('email') },
    ],
  },
  {
    table: 'link_usages',
    columns: 'user_id ip_address user_agent city',
    exported: {
      name: 'linkUsages',
      fields: `id, zone_id, link_id, outcome, ip_address, user_agent, country, city, was_new_user, attempted_at,
        joined_at`,
    },
    // Link statistics stay, but without the user's identity.
    erased: [{ blank: 'user_id ip_address user_agent city', of: matchesUserId('user_id') }, 'stays without the person'],
  },
  {
    table: 'temporary_links',
    columns: 'created_by_id',
    exported: {
      name: 'temporaryLinks',
      fields: `l.id, l.zone_id, l.name, l.token, l.expires_at, l.max_uses, l.current_uses, l.is_active,
        l.membership_days, l.created_at, l.updated_at`,
      from: 'temporary_links l join zones z on z.id = l.zone_id',
      of: (person) => sql`${matchesUserId('z.owner_id')(person)} and z.deleted_at is null`,
      pagedBy: 'l.id bigint',
    },
    erased: ['stays without the person'],
  },
  { table: 'link_grants', columns: 'user_id' },
  {
    table: 'item_links',
    columns: 'created_by_id',
    exported: {
      name: 'itemLinks',
      fields: `l.id, z.id as zone_id, l.file_id, l.folder_id, l.name, l.token, l.expires_at, l.max_uses, l.current_uses,
        l.is_active, l.needs_email, l.allow_download, l.request_folder_id is not null as allow_uploads, l.created_at, l.updated_at`,
      from: `item_links l left join files f on f.id = l.file_id left join folders d on d.id = l.folder_id
        join zones z on z.id = coalesce(f.zone_id, d.zone_id)`,
      of: (person) => sql`${matchesUserId('z.owner_id')(person)} and z.deleted_at is null`,
      pagedBy: 'l.id bigint',
    },
    erased: ['stays without the person'],
  },
  {
    table: 'item_guests',
    columns: 'email',
    exported: {
      name: 'openedLinks',
      fields: 'id, link_id, email, first_at, last_at, views, downloads',
      of: matchesEmail('email'),
    },
    // The counts of the link stay.
    erased: [
      {
        blank: 'email',
        of: ({ requestedAt, ...person }) => sql`${matchesEmail('email')(person)} and first_at <= ${requestedAt}`,
      },
    ],
  },
  {
    table: 'campaigns',
    columns: 'sent_by_id',
    exported: {
      name: 'campaigns',
      fields: `id, zone_id, name, subject, html_content, text_content, status, recipient_count, created_at, sent_at`,
      of: matchesUserId('sent_by_id'),
    },
    // Runs after the user's zones are deleted, when nobody may read their reports any more.
    erased: [{ step: 'removeReports' }, 'goes with the account'],
  },
  {
    table: 'email_templates',
    columns: 'owner_id',
    exported: {
      name: 'emailTemplates',
      fields: 'id, name, subject, html_content, created_at',
      of: matchesUserId('owner_id'),
    },
  },
  {
    table: 'deliveries',
    columns: 'user_id',
    exported: {
      name: 'receivedMails',
      fields: `d.id, c.subject, d.state, d.sent_at, coalesce(z.name, g.name) as zone_name, d.opened_at, d.clicked_at`,
      from: `deliveries d join campaigns c on c.id = d.campaign_id left join zones z on z.id = c.zone_id
        left join deleted_zones g on g.id = c.zone_id`,
      of: matchesUserId('d.user_id'),
      pagedBy: 'd.id bigint',
    },
    erased: ['stays without the person'],
  },
  {
    table: 'campaign_events',
    columns: 'ip_address user_agent',
    exported: {
      name: 'mailEvents',
      fields: 'e.id, e.delivery_id as mail_id, e.type, e.verdict, e.ip_address, e.user_agent, e.created_at',
      from: 'campaign_events e join deliveries d on d.id = e.delivery_id',
      of: matchesUserId('d.user_id'),
      pagedBy: 'e.id bigint',
    },
    erased: [
      { remove: 'at once', of: ({ id }) => sql`delivery_id in (select id from deliveries where user_id = ${id})` },
    ],
  },
  {
    table: 'entitlements',
    columns: 'user_id',
    exported: { name: 'purchases', fields: 'id, source, external_id, zone_id, state, occurred_at, created_at' },
    // Purchases stay without the user, so that later events about them don't create the account again.
    erased: [{ step: 'releasePurchases' }, 'stays without the person'],
  },
  { table: 'purchase_passwords', columns: 'email', erased: [{ remove: 'at once', of: matchesEmail('email') }] },
  {
    table: 'integration_webhooks',
    columns: 'customer_email customer_name customer_id user_id',
    exported: {
      name: 'purchaseWebhooks',
      fields: `id, source, event, status, order_id, product_name, subscription_id, customer_name, created_at`,
      of: matchesEmail('customer_email'),
    },
    erased: [
      { blank: 'customer_email customer_name customer_id webhook_data', of: matchedEmailAtRequest('customer_email') },
      'stays without the person',
    ],
  },
]);
