import { DAY } from '../../../platform/clock/clock.js';
import type { ZoneRole } from '../../zones/entities/zone-member.entity.js';
import { MIB } from '../../../platform/text/byte-units.js';
import { zoneAbilities } from '../../zones/access/zone.policy.js';
import type { FileAbilitiesDto } from '../dto/file.dto.js';
import { isViewableWithoutOriginal } from '../shared/document-types.js';
import type { FolderAbilitiesDto } from '../dto/folder.dto.js';

/** Folders under one another at most; a folder at the root of a zone is the first. */
export const MAX_DEPTH = 5;

/** Most bytes of one file: 100 MB. */
export const MAX_FILE_BYTES = 100 * MIB;

/** How long what was deleted can be brought back. */
export const TRASH_LIFETIME = 30 * DAY;

export interface FileContext {
  /** Role in the zone in which the file is seen. */
  readonly role: ZoneRole;
  /** Seen through a mirror. */
  readonly readOnly: boolean;
  readonly allowDownload: boolean;
  /** Readers may select the text of its pages, also when they may not download it. */
  readonly allowText: boolean;
  /** Told by the bytes. */
  readonly mimeType: string;
}

/**
 * What the viewer may do with a file; sent with it, so that the page never decides by itself. Without downloads nobody
 * gets the bytes of the original by any way; what can be read without it is: by pages, or played in pieces.
 */
export function fileAbilities(file: FileContext): FileAbilitiesDto {
  const { role, readOnly, allowText, mimeType } = file;
  const canManage = zoneAbilities(role).manageFiles && !readOnly;
  const download = canAccessOriginal(file);
  const changeAbilities = { rename: canManage, move: canManage, delete: canManage, allowDownload: canManage };
  const viewAbilities = {
    view: download || isViewableWithoutOriginal(mimeType),
    download,
    text: download || allowText,
  };
  return { ...viewAbilities, ...changeAbilities, seeOpenings: canSeeOpenings(role) };
}

/**
 * Whether somebody gets the bytes of a file as they are. Whoever manages it always does, and its owner through a mirror too, because both zones are theirs.
 */
export function canAccessOriginal({
  role,
  readOnly,
  allowDownload,
}: Pick<FileContext, 'role' | 'readOnly' | 'allowDownload'>): boolean {
  return allowDownload || role === 'owner' || (zoneAbilities(role).manageFiles && !readOnly);
}

/** Who opened a file is for the owner of its zone alone, also where the file is seen through a mirror of theirs. */
export function canSeeOpenings(role: ZoneRole): boolean {
  return role === 'owner';
}

/** Whoever runs a zone looks at its files to work with them: that counts in no figure, only what readers open does. */
export function isCountedAsReader(role: ZoneRole): boolean {
  return role === 'member';
}

export interface FolderContext {
  readonly role: ZoneRole;
  /** Seen through a mirror, or the mirror itself. */
  readonly readOnly: boolean;
  /** The mirror itself: only the owner may rename it or take it away. */
  readonly isMirror: boolean;
  /** 1 at the root of a zone. */
  readonly depth: number;
}

/** What the viewer may do with a folder and inside it. */
export function folderAbilities({ role, readOnly, isMirror, depth }: FolderContext): FolderAbilitiesDto {
  const canManage = zoneAbilities(role).manageFiles && !readOnly;
  const changes = isMirror ? zoneAbilities(role).manageMirrors : canManage;
  return {
    upload: canManage,
    createFolder: canManage && depth < MAX_DEPTH,
    rename: changes,
    move: canManage && !isMirror,
    delete: changes,
  };
}
