import { randomUUID } from 'node:crypto';
import { newObjectKey } from '../../../src/platform/storage/storage.js';
import type { World } from '../../support/world.js';

type Row = Record<string, unknown>;

/** A user, a zone they own, and a zone of another user of which they are a member. */
export interface RowOwner {
  readonly id: number;
  readonly email: string;
  readonly ownZone: number;
  readonly otherZone: number;
  readonly otherOwner: number;
}

/** A value for a NOT NULL column. */
function defaultValueOf(dataType: string): unknown {
  if (dataType.startsWith('timestamp') || dataType === 'date') return new Date();
  if (dataType.startsWith('char') || dataType === 'text') return 'x';
  if (dataType === 'boolean') return false;
  if (dataType === 'jsonb') return '{}';
  return dataType === 'uuid' ? randomUUID() : 1;
}

/** Inserts a row; NOT NULL columns without a value get a default for their type. */
async function insertRow(world: World, table: string, values: Row): Promise<Row> {
  const em = world.testApp.em();
  const requiredColumns = await em.execute<{ name: string; kind: string }[]>(
    `select column_name as name, data_type as kind from information_schema.columns
     where table_schema = current_schema() and table_name = ? and is_nullable = 'NO' and column_default is null
       and is_identity = 'NO' and is_generated = 'NEVER'`,
    [table],
  );
  const row: Row = {
    ...Object.fromEntries(requiredColumns.map(({ name, kind }) => [name, defaultValueOf(kind)])),
    ...values,
  };
  const names = Object.keys(row);
  const [inserted] = await em.execute<Row[]>(
    `insert into "${table}" ("${names.join('", "')}") values (${names.map(() => '?').join(', ')}) returning *`,
    Object.values(row),
  );
  return inserted!;
}

/**
 * Inserts a row of the user into every table that the API doesn't fill quickly.
 * @returns the rows by table, or by a name of their own
 */
export async function insertUserRows(world: World, rowOwner: RowOwner): Promise<Record<string, Row>> {
  const { id, email, ownZone, otherZone, otherOwner } = rowOwner;
  const rows: Record<string, Row> = {};
  const add = async (table: string, values: Row, name = table) => (rows[name] = await insertRow(world, table, values));
  const userRef = { user_id: id };
  const text = `row of ${email}`;
  for (const table of ['known_devices', 'security_events', 'email_changes']) await add(table, userRef);
  await add('authenticators', { ...userRef, confirmed_at: new Date() });
  await add('external_identities', { ...userRef, issuer: text, subject: text });
  await add('passkeys', { ...userRef, credential_id: text });
  await add('owner_plans', { owner_id: id });
  await add('usage_warnings', { owner_id: id, metric: 'people', month: '2026-11' });
  for (const table of ['join_requests', 'email_unsubscribes']) await add(table, { ...userRef, zone_id: otherZone });
  await add('zone_leaves', { ...userRef, zone_id: otherZone, reason: text });
  await add('invitations', { email, zone_id: otherZone, is_counted: false });
  await add('files', { zone_id: otherZone, uploaded_by_id: id, object_key: newObjectKey('files') });
  await add('file_versions', {
    file_id: rows.files!.id,
    number: 1,
    uploaded_by_id: id,
    object_key: newObjectKey('files'),
  });
  await add('file_openings', { ...userRef, file_id: rows.files!.id });
  await add('reading_positions', { ...userRef, file_id: rows.files!.id, page: 3 });
  await add('file_readers', { ...userRef, file_id: rows.files!.id, pages: Buffer.from([1]) });
  await add('page_reads', userRef);
  await add('reader_batches', { ...userRef, recent_ids: '{}' });
  await add('folders', { zone_id: otherZone }, 'requested');
  await add('file_requests', { folder_id: rows.requested!.id, created_by_id: id });
  await add('file_submissions', { ...userRef, file_id: rows.files!.id, folder_id: rows.requested!.id });
  const file = { object_key: newObjectKey('files'), created_at: new Date(0) };
  await add('files', { ...file, zone_id: otherZone, name_key: 'by link' }, 'fileByLink');
  const byLink = { file_id: rows.fileByLink!.id, guest_key: randomUUID(), guest_email: email };
  await add('file_submissions', byLink, 'sentByLink');
  // Without bytes, because the counters of the zone don't include it.
  const received = { ...file, zone_id: ownZone, name_key: 'received', object_key: newObjectKey('files'), size: 0 };
  await add('files', received, 'received');
  await add('file_submissions', { file_id: rows.received!.id, guest_key: randomUUID() }, 'submission');
  await add('uploads', { owner_id: id, object_key: newObjectKey('files') });
  await add('resumable_uploads', { ...userRef, zone_id: ownZone, upload_id: rows.uploads!.id });
  await add('temporary_links', { zone_id: ownZone, token: text });
  await add('folders', { zone_id: ownZone });
  await add('item_links', { folder_id: rows.folders!.id, token: text });
  await add('item_links', { file_id: rows.files!.id, token: `${text} elsewhere` }, 'visited');
  await add('item_guests', { link_id: rows.visited!.id, email, first_at: new Date(0) });
  const from = { zone_id: otherZone, ip_address: '192.0.2.7', user_agent: 'Browser', city: 'Izmir' };
  await add('link_usages', { ...from, ...userRef });
  await add('link_usages', from, 'asked');
  await add('pending_joins', { email, zone_id: otherZone, usage_id: rows.asked!.id });
  await add('single_use_tokens', { email, digest: text, subject: `join:${String(rows.pending_joins!.id)}` });
  await add('email_templates', { owner_id: id });
  await add('campaigns', { zone_id: ownZone, sent_by_id: id, status: 'sent', recipient_count: 1 });
  await add('campaigns', { zone_id: otherZone, sent_by_id: otherOwner, status: 'sent' }, 'theirs');
  await add('deliveries', { ...userRef, campaign_id: rows.theirs!.id, state: 'delivered' });
  await add('campaign_events', {
    campaign_id: rows.theirs!.id,
    delivery_id: rows.deliveries!.id,
    ip_address: '192.0.2.7',
  });
  for (const table of ['billing_accounts', 'subscription_changes']) await add(table, userRef);
  await add('paid_invoices', { ...userRef, id: text });
  const customer = { customer_email: email, customer_name: 'Ada', customer_id: 'cus_1' };
  await add('integration_webhooks', { ...customer, delivery_id: text, webhook_data: '{}' });
  await add('purchase_passwords', { email, digest: text });
  await add('entitlements', { ...userRef, zone_id: otherZone, external_id: text, state: 'granted' });
  await add('feature_suggestions', { submitted_by_id: id });
  await add('feature_suggestions', { submitted_by_id: id, status: 'approved' }, 'approved');
  await add('feature_votes', { ...userRef, suggestion_id: rows.feature_suggestions!.id });
  await add('installation_settings', { key: text.slice(0, 60), changed_by_id: id });
  return rows;
}

/** Returns what changed in each of these rows since they were inserted; deleted rows are omitted. */
export async function readRowChanges(world: World, written: Record<string, Row>): Promise<Record<string, Row>> {
  const tables: Record<string, string> = {
    asked: 'link_usages',
    visited: 'item_links',
    requested: 'folders',
    fileByLink: 'files',
    sentByLink: 'file_submissions',
    received: 'files',
    submission: 'file_submissions',
    theirs: 'campaigns',
    approved: 'feature_suggestions',
  };
  const remaining: Record<string, Row> = {};
  for (const [name, row] of Object.entries(written)) {
    const key = ['id', 'digest', 'file_id', 'folder_id', 'user_id', 'owner_id', 'key'].find((column) => column in row)!;
    const [current] = await world.testApp
      .em()
      .execute<Row[]>(`select * from ${tables[name] ?? name} where ${key} = ?`, [row[key]]);
    const changed = Object.entries(current ?? {}).filter(([column, value]) => String(value) !== String(row[column]));
    if (current) remaining[name] = Object.fromEntries(changed);
  }
  return remaining;
}

const noUser = { user_id: null };
const noOrigin = { ip_address: null, user_agent: null, city: null };

/** The rows that remain after the account's deletion, with their changed columns. */
export const rowsAfterDeletion: Record<string, Row> = {
  zone_leaves: { ...noUser, reason: null },
  files: { uploaded_by_id: null },
  file_versions: { uploaded_by_id: null },
  requested: {},
  file_requests: { created_by_id: null },
  file_submissions: noUser,
  fileByLink: {},
  sentByLink: { guest_email: null },
  link_usages: { ...noUser, ...noOrigin },
  asked: noOrigin,
  visited: {},
  item_guests: { email: null },
  theirs: {},
  deliveries: noUser,
  subscription_changes: noUser,
  paid_invoices: noUser,
  integration_webhooks: { customer_email: null, customer_name: null, customer_id: null, webhook_data: null },
  entitlements: { ...noUser, state: 'revoked', is_taken_back: true },
  approved: { submitted_by_id: null },
  installation_settings: { changed_by_id: null },
};
