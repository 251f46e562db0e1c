import type { Schema } from '../../../shared/api/client';
import type { TextKey } from '../logs/text-key';

/** Labels of the activity types, by code. */
export default {
  file_deleted: 'File deleted',
  file_downloaded: 'File downloaded',
  file_moved: 'File moved',
  file_purged: 'File permanently deleted',
  file_renamed: 'File renamed',
  file_restored: 'File restored',
  file_uploaded: 'File uploaded',
  file_viewed: 'File viewed',
  folder_created: 'Folder created',
  folder_deleted: 'Folder deleted',
  folder_moved: 'Folder moved',
  folder_purged: 'Folder permanently deleted',
  folder_renamed: 'Folder renamed',
  folder_restored: 'Folder restored',
  items_deleted: 'Several items deleted',
  items_moved: 'Several items moved',
  items_purged: 'Several items permanently deleted',
  items_restored: 'Several items restored',
  member_expired: 'Membership ended',
  member_joined: 'Member joined',
  member_left: 'Member left',
  member_removed: 'Member removed',
  mirror_created: 'Mirror created',
  mirror_removed: 'Mirror removed',
  user_registered: 'Account created',
  user_signed_in: 'Signed in',
  zone_created: 'Zone created',
} satisfies Record<TextKey<Schema<'ActivityType'>>, string>;
