import { sql } from 'kysely';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { matchesEmail, matchesUserId, type ExportedList, type PersonalTableDefinition } from './personal-table.sql.js';

/** Zones, their members, invitations and content. */
export const zoneTables = freezeList<readonly PersonalTableDefinition[]>([
  {
    table: 'invitations',
    columns: 'email first_name last_name invited_by_id',
    exported: {
      name: 'invitations',
      fields: `id, zone_id, first_name, last_name, used, created_at, sent_at, kept_at, expires_at, used_at, undeliverable_at`,
      of: matchesEmail('email'),
    },
    erased: [{ step: 'removeInvitations' }, 'stays without the person'],
  },
  {
    table: 'suppressions',
    columns: 'owner_id',
    // The keyed digest of the address stays, so that nobody's import emails it.
    erased: [{ step: 'noteAddress' }, 'goes with the account'],
  },
  {
    table: 'zones',
    columns: 'owner_id',
    exported: {
      name: 'zones',
      fields: `id, name, description, type, public_link, auto_join, requires_email_optin, show_files, versions_kept, versions_days,
        records_reading, created_at, updated_at`,
      of: (person) => sql`${matchesUserId('owner_id')(person)} and deleted_at is null`,
    },
    erased: [{ step: 'deleteZones' }],
  },
  {
    table: 'zone_members',
    columns: 'user_id email name_key search_key invited_by_id',
    exported: {
      name: 'memberships',
      fields: `m.id, z.id as zone_id, z.name as zone_name, m.role, m.join_method, m.is_favorite, m.expires_at,
        m.created_at as joined_at, m.visited_at`,
      from: 'zone_members m join zones z on z.id = m.zone_id',
      of: (person) => sql`${matchesUserId('m.user_id')(person)} and z.deleted_at is null`,
      pagedBy: 'm.id bigint',
    },
    erased: [{ step: 'leaveZones' }, 'goes with the account', 'stays without the person'],
  },
  {
    table: 'email_consents',
    columns: 'user_id ip_address',
    exported: {
      name: 'consents',
      fields: `c.id, c.zone_id, c.consented_at, c.ip_address, c.consent_method as method, c.consent_text as text,
        coalesce(z.name, g.name) as zone_name`,
      from: 'email_consents c left join zones z on z.id = c.zone_id left join deleted_zones g on g.id = c.zone_id',
      of: matchesUserId('c.user_id'),
      pagedBy: 'c.id bigint',
    },
  },
  {
    table: 'join_requests',
    columns: 'user_id ip_address',
    exported: { name: 'joinRequests', fields: 'id, zone_id, method, consent_text, ip_address, created_at' },
  },
  {
    table: 'email_unsubscribes',
    columns: 'user_id',
    exported: {
      name: 'unsubscribes',
      fields: 'e.id, e.zone_id, e.unsubscribed_at, e.reason, coalesce(z.name, g.name) as zone_name',
      from: 'email_unsubscribes e left join zones z on z.id = e.zone_id left join deleted_zones g on g.id = e.zone_id',
      of: matchesUserId('e.user_id'),
      pagedBy: 'e.id bigint',
    },
  },
  {
    table: 'zone_leaves',
    columns: 'user_id invited_by_id',
    exported: {
      name: 'leaves',
      fields: `l.id, l.zone_id, l.zone_type, l.via, l.reason, l.role, l.join_method, l.joined_at, l.left_at, l.undone_at,
        coalesce(z.name, g.name) as zone_name`,
      from: 'zone_leaves l left join zones z on z.id = l.zone_id left join deleted_zones g on g.id = l.zone_id',
      of: matchesUserId('l.user_id'),
      pagedBy: 'l.id bigint',
    },
    // Zones keep their statistics.
    erased: [{ blank: 'reason', of: matchesUserId('user_id') }, 'stays without the person'],
  },
  {
    table: 'folders',
    columns: 'created_by_id',
    exported: {
      name: 'folders',
      fields: 'f.id, f.name, f.zone_id, f.parent_id, f.trashed_at, f.created_at, f.updated_at',
      from: 'folders f join zones z on z.id = f.zone_id',
      of: (person) => sql`${matchesUserId('z.owner_id')(person)} and z.deleted_at is null`,
      pagedBy: 'f.id bigint',
    },
    erased: ['stays without the person'],
  },
  {
    table: 'files',
    columns: 'uploaded_by_id',
    exported: [fileExport('files', 'z.owner_id', '='), fileExport('filesInOtherZones', 'f.uploaded_by_id', '!=')],
    // Files in the user's own zones are deleted with the zones.
    erased: ['stays without the person'],
  },
  {
    table: 'file_versions',
    columns: 'uploaded_by_id',
    exported: {
      name: 'fileVersions',
      fields:
        'v.id, v.file_id, v.number, v.original_name as name, v.mime_type, v.size, v.sha256, v.uploaded_at, v.created_at',
      from: 'file_versions v join files f on f.id = v.file_id join zones z on z.id = f.zone_id',
      of: (person) =>
        sql`(${matchesUserId('z.owner_id')(person)} or ${matchesUserId('v.uploaded_by_id')(person)}) and z.deleted_at is null`,
      pagedBy: 'v.id bigint',
    },
    // Versions in the user's own zones are deleted with the zones.
    erased: ['stays without the person'],
  },
  {
    table: 'reading_positions',
    columns: 'user_id',
    exported: {
      name: 'readingPositions',
      fields: 'file_id, page, fraction, seconds, updated_at',
      pagedBy: 'file_id bigint',
    },
  },
  { table: 'file_requests', columns: 'created_by_id', erased: ['stays without the person'] },
  {
    table: 'file_submissions',
    columns: 'user_id guest_email',
    exported: [
      {
        name: 'sentFiles',
        fields: 's.file_id, s.folder_id, s.is_private, f.original_name as name, f.created_at',
        from: 'file_submissions s join files f on f.id = s.file_id join zones z on z.id = f.zone_id',
        of: (person) => sql`${matchesUserId('s.user_id')(person)} and z.deleted_at is null`,
        pagedBy: 's.file_id bigint',
      },
      {
        // Without names: others may have stated the address.
        name: 'filesSentByLink',
        fields: 's.file_id, s.guest_email as email, f.created_at',
        from: 'file_submissions s join files f on f.id = s.file_id',
        of: matchesEmail('s.guest_email'),
        pagedBy: 's.file_id bigint',
      },
      {
        name: 'receivedFiles',
        fields: 's.file_id, s.folder_id, s.user_id, s.guest_email, s.is_private, f.created_at',
        from: 'file_submissions s join files f on f.id = s.file_id join zones z on z.id = f.zone_id',
        of: (person) => sql`${matchesUserId('z.owner_id')(person)} and z.deleted_at is null`,
        pagedBy: 's.file_id bigint',
      },
    ],
    // The file stays with the zone, and hidden from its other members.
    erased: [
      {
        blank: 'guest_email',
        of: ({ requestedAt, ...person }) => sql`${matchesEmail('guest_email')(person)}
          and file_id in (select f.id from files f where f.created_at <= ${requestedAt})`,
      },
      'stays without the person',
    ],
  },
  {
    table: 'resumable_uploads',
    columns: 'user_id',
    exported: {
      name: 'uploads',
      fields: 'id, name, zone_id, folder_id, length, received, file_id, created_at, expires_at',
      pagedBy: 'id uuid',
    },
    // Interrupted uploads have stored objects that only their rows reference.
    erased: [{ step: 'abandonUploads' }, 'goes with the account'],
  },
  { table: 'uploads', columns: 'owner_id' },
  { table: 'folder_mirrors', columns: 'created_by_id', erased: ['stays without the person'] },
  { table: 'transfers', columns: 'user_id' },
  { table: 'trash_entries', columns: 'deleted_by_id', erased: ['stays without the person'] },
  { table: 'deleted_zones', columns: 'owner_id', erased: ['stays without the person'] },
  {
    table: 'audience',
    columns: 'owner_id email_key user_id',
    erased: ['goes with the account', 'stays without the person'],
  },
  { table: 'member_removals', columns: 'user_id' },
  { table: 'zone_blocks', columns: 'user_id' },
  { table: 'stranger_mails', columns: 'owner_id subject' },
  { table: 'suppression_lifts', columns: 'owner_id' },
  { table: 'owner_day', columns: 'owner_id' },
  { table: 'owner_quarter', columns: 'owner_id' },
]);

/** Files in zones that the user owns (`=`) or doesn't own (`!=`). */
function fileExport(name: string, ownerColumn: string, operator: '=' | '!='): ExportedList {
  return {
    name,
    fields: `f.id, f.original_name as name, f.mime_type, f.size, f.sha256, f.zone_id, f.folder_id, f.allow_download, f.allow_text,
      f.trashed_at, f.created_at, f.updated_at`,
    from: 'files f join zones z on z.id = f.zone_id',
    of: (person) =>
      sql`${matchesUserId(ownerColumn)(person)} and z.owner_id ${sql.raw(operator)} ${person.id} and z.deleted_at is null`,
    pagedBy: 'f.id bigint',
  };
}
