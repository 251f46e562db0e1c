import { DAY } from '../../../platform/clock/clock.js';
import type { ZoneRole } from '../../zones/entities/zone-member.entity.js';
import { zoneAbilities } from '../../zones/access/zone.policy.js';
import type { FileAbilitiesDto } from '../dto/file.dto.js';
import { isInlineSafe } from '../shared/content-type.js';
import { hasPages, isViewableWithoutOriginal } from '../shared/document-types.js';
import type { FolderAbilitiesDto } from '../dto/folder.dto.js';

/** Maximum nesting of folders; a folder at the root of a zone has depth 1. */
export const MAX_DEPTH = 5;

/** How long deleted items can be restored from the trash. */
export const TRASH_LIFETIME = 30 * DAY;

export interface FileContext {
  /** The viewer's role in the zone through which the file is seen. */
  readonly role: ZoneRole;
  /** True if the file is seen through a mirror. */
  readonly readOnly: boolean;
  readonly allowDownload: boolean;
  /** Members may select the text of the pages, even when they may not download the file. */
  readonly allowText: boolean;
  /** Detected from the file's bytes. */
  readonly mimeType: string;
  /** True if the viewer sent the file for a file request that is open. */
  readonly isWithdrawable?: boolean;
}

/**
 * Computes what the viewer may do with a file. It is sent along with the file, so that the frontend does not duplicate
 * these rules. Without the right to download, no route returns the original bytes. Files that can be viewed without the
 * original can still be read: as rendered pages, or as streamed media.
 */
export function fileAbilities(file: FileContext): FileAbilitiesDto {
  const { role, readOnly, allowText, mimeType } = file;
  const can = zoneAbilities(role);
  const canManage = can.manageFiles && !readOnly;
  const download = canAccessOriginal(file);
  const changeAbilities = {
    rename: canManage,
    move: canManage,
    delete: canManage || (file.isWithdrawable === true && !readOnly),
    allowDownload: canManage,
    replace: canManage,
  };
  const viewAbilities = {
    view: download || isViewableWithoutOriginal(mimeType),
    download,
    text: download || allowText,
  };
  return { ...viewAbilities, ...changeAbilities, share: can.share && !readOnly, seeOpenings: canSeeOpenings(role) };
}

/**
 * Whether the viewer may get the original bytes of a file. People who manage the file always may. The owner may also
 * through a mirror, because both zones belong to the same owner.
 */
export function canAccessOriginal({
  role,
  readOnly,
  allowDownload,
}: Pick<FileContext, 'role' | 'readOnly' | 'allowDownload'>): boolean {
  return allowDownload || role === 'owner' || (zoneAbilities(role).manageFiles && !readOnly);
}

/** What the guests of a link may do with a file: at most what members may. A link can only take rights away. */
export function guestRights(
  link: { readonly allowDownload: boolean },
  file: { readonly allowDownload: boolean },
): Pick<FileContext, 'role' | 'allowDownload'> {
  return { role: 'member', allowDownload: link.allowDownload && file.allowDownload };
}

/**
 * What the guests of a link may do with a file, with the rights of `guestRights`. Unlike members they can't stream media
 * that they may not download.
 */
export function guestAbilities(
  file: Pick<FileContext, 'role' | 'allowDownload' | 'allowText' | 'mimeType'>,
): Pick<FileAbilitiesDto, 'view' | 'download' | 'text'> {
  const { download, text } = fileAbilities({ ...file, readOnly: true });
  return { view: hasPages(file.mimeType) || (download && isInlineSafe(file.mimeType)), download, text };
}

/**
 * Only the owner of the zone can see who opened a file, including when the file is seen through one of the owner's
 * mirrors.
 */
export function canSeeOpenings(role: ZoneRole): boolean {
  return role === 'owner';
}

/** Only files opened by members count in the statistics. Owners and admins open files to manage them. */
export function isCountedView(role: ZoneRole): boolean {
  return role === 'member';
}

/** Whether reading and opening the file is recorded. The zone through which it is seen decides. */
export function isRecorded({ role, recordsReading }: { role: ZoneRole; recordsReading: boolean }): boolean {
  return recordsReading && isCountedView(role);
}

export interface FolderContext {
  readonly role: ZoneRole;
  /** True if the folder is seen through a mirror, or is a mirror itself. */
  readonly readOnly: boolean;
  /** True if the folder is a mirror itself: only the owner may rename or remove it. */
  readonly isMirror: boolean;
  /** 1 at the root of a zone. */
  readonly depth: number;
}

/** Computes what the viewer may do with a folder and inside it. */
export function folderAbilities({ role, readOnly, isMirror, depth }: FolderContext): FolderAbilitiesDto {
  const can = zoneAbilities(role);
  const canManage = can.manageFiles && !readOnly;
  const changes = isMirror ? can.manageMirrors : canManage;
  return {
    upload: canManage,
    createFolder: canManage && depth < MAX_DEPTH,
    rename: changes,
    move: canManage && !isMirror,
    delete: changes,
    share: can.share && !readOnly && !isMirror,
  };
}
