const ABILITIES = {
  read: true,
  manageFiles: true,
  emptyTrash: true,
  invite: true,
  seeMembers: true,
  manageMembers: true,
  share: true,
  manageMirrors: true,
  sendCampaigns: true,
  editSettings: true,
  delete: true,
  leave: false,
};

/** Maximum size of one file in bytes, by plan. */
const MAX_FILE_BYTES = { free: 100 * 2 ** 20, enterprise: 50 * 2 ** 30 };

/** Converts a row of an owned zone to the API's format; a test compares the fields with the OpenAPI document. */
export const toZone = (row) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  ownerId: row.owner_id,
  type: row.type,
  isActive: row.is_active,
  autoJoin: row.auto_join,
  publicLink: row.public_link,
  requiresEmailOptin: row.requires_email_optin,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  version: row.version,
  showFiles: row.show_files,
  versionsKept: row.versions_kept,
  versionsDays: row.versions_days,
  recordsReading: row.records_reading,
  fileCount: row.files,
  folderCount: row.folders,
  memberCount: row.members,
  totalBytes: row.bytes,
  memberRole: row.role,
  isFavorite: row.is_favorite,
  memberExpiresAt: row.expires_at,
  isPrivate: row.type === 'private',
  isOwner: true,
  maxFileBytes: MAX_FILE_BYTES[row.default_plan ?? row.plan],
  can: ABILITIES,
});
