import { DAY } from '../../platform/clock/clock.js';
import type { ZoneRole } from '../zones/entities/zone-member.entity.js';
import { zoneAbilities } from '../zones/zone.policy.js';

/** Folders under one another at most; a folder at the root of a zone is the first. */
export const MAX_DEPTH = 5;

/** How long what was deleted can be brought back. */
export const TRASH_LIFETIME = 30 * DAY;

/** What the viewer may do with a file. Sent with it, so that the page never decides by itself. */
export interface FileAbilities {
  /** Open it in the page. */
  view: boolean;
  /** Fetch it to keep it. */
  download: boolean;
  rename: boolean;
  move: boolean;
  delete: boolean;
  /** Say whether members may download it. */
  allowDownload: boolean;
  /** See who opened it. */
  seeOpenings: boolean;
}

/** What the viewer may do with a folder and inside it. */
export interface FolderAbilities {
  /** Put files into it. */
  upload: boolean;
  /** Make folders in it; not below the deepest level. */
  createFolder: boolean;
  rename: boolean;
  move: boolean;
  delete: boolean;
}

export interface FileSituation {
  /** Role in the zone in which the file is seen. */
  readonly role: ZoneRole;
  /** Seen through a mirror. */
  readonly readOnly: boolean;
  readonly allowDownload: boolean;
  /** Shown by a browser without a download. */
  readonly viewable: boolean;
}

/**
 * Whoever manages a file may always fetch it, and its owner through a mirror too, because both zones are theirs; others
 * only see what can be shown when downloads are not allowed.
 */
export function fileAbilities({ role, readOnly, allowDownload, viewable }: FileSituation): FileAbilities {
  const manages = zoneAbilities(role).manageFiles && !readOnly;
  const download = allowDownload || manages || role === 'owner';
  const changes = { rename: manages, move: manages, delete: manages, allowDownload: manages };
  return { view: download || viewable, download, ...changes, seeOpenings: mayReadOpenings(role) };
}

/** Who opened a file is for the owner of its zone alone, also where the file is seen through a mirror of theirs. */
export function mayReadOpenings(role: ZoneRole): boolean {
  return role === 'owner';
}

export interface FolderSituation {
  readonly role: ZoneRole;
  /** Seen through a mirror, or the mirror itself. */
  readonly readOnly: boolean;
  /** The mirror itself: only the owner may rename it or take it away. */
  readonly isMirror: boolean;
  /** 1 at the root of a zone. */
  readonly depth: number;
}

export function folderAbilities({ role, readOnly, isMirror, depth }: FolderSituation): FolderAbilities {
  const manages = zoneAbilities(role).manageFiles && !readOnly;
  const changes = isMirror ? zoneAbilities(role).manageMirrors : manages;
  return {
    upload: manages,
    createFolder: manages && depth < MAX_DEPTH,
    rename: changes,
    move: manages && !isMirror,
    delete: changes,
  };
}
