import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { AccessibleZone } from '../../zones/access/zone-access.repository.js';
import type { GuestViewer, ItemViewer } from '../../zones/access/visible-files.sql.js';
import type { ZoneRole } from '../../zones/entities/zone-member.entity.js';
import { fileErrors } from '../files.errors.js';
import {
  FileAccessRepository,
  type AccessibleFile,
  type AccessibleFolder,
  type SharedItem,
} from './file-access.repository.js';
import { FileRequestRepository } from '../requests/file-request.repository.js';
import { guestRights, isRecorded } from './file.policy.js';

/**
 * A folder (or the root) of a zone and the location of its content, which differs when the folder is seen through a
 * mirror.
 */
export interface FolderLocation {
  /** The zone in which the folder is seen. */
  readonly zoneId: number;
  readonly ownerId: number;
  readonly role: ZoneRole;
  /** The folder as requested; null is the root. */
  readonly folderId: number | null;
  readonly contentZoneId: number;
  readonly contentFolderId: number | null;
  readonly readOnly: boolean;
  /** 0 at the root. */
  readonly depth: number;
  /** Null for people who haven't entered by a link yet. */
  readonly viewer: ItemViewer;
}

/** Resolves files, folders and locations as a viewer reaches them, see `FileAccessRepository`. */
@Injectable()
export class FileAccessService {
  constructor(
    private readonly em: EntityManager,
    private readonly access: FileAccessRepository,
    private readonly requests: FileRequestRepository,
  ) {}

  /**
   * Returns the file as the viewer reaches it, or null. The item's own zone takes precedence over a mount, then the
   * higher role wins.
   * @param zoneId consider only access through this zone
   */
  async findFile(id: number, userId: number, zoneId?: number): Promise<AccessibleFile | null> {
    return (await this.access.findFiles([id], userId, zoneId))[0] ?? null;
  }

  /**
   * Returns the folder as the viewer reaches it, or null.
   * @param zoneId consider only access through this zone
   */
  async findFolder(id: number, userId: number, zoneId?: number): Promise<AccessibleFolder | null> {
    return (await this.access.findFolders([id], userId, zoneId))[0] ?? null;
  }

  /**
   * Whether the pages that a member reads are recorded. Openings are recorded by the same rule, but don't need the
   * consent, because its earlier words mentioned them.
   */
  async isReadingRecorded(file: AccessibleFile, userId: number): Promise<boolean> {
    return isRecorded(file) && (await this.access.hasAgreedToReading(file.zoneId, userId));
  }

  /** Whether the user sent the file for a file request that is still open, and so may delete it. */
  isWithdrawable({ id, mountId }: AccessibleFile, userId: number): Promise<boolean> {
    return mountId === null ? this.requests.isWithdrawable(this.em, id, userId) : Promise.resolve(false);
  }

  /** Returns the file with the rights of a guest if the link shares it, or null. */
  async findSharedFile(link: SharedItem, guest: GuestViewer | null, id: number): Promise<AccessibleFile | null> {
    return (await this.findSharedFiles(link, guest, [id]))[0] ?? null;
  }

  /**
   * Returns those of the files that a link shares, with the rights of its guests. Whether the link is open and admits
   * the guest is decided by the caller.
   */
  async findSharedFiles(
    link: SharedItem,
    guest: GuestViewer | null,
    ids: readonly number[],
  ): Promise<AccessibleFile[]> {
    const files = await this.access.findSharedFiles(link, guest, ids);
    return files.map((file) => ({ ...file, ...guestRights(link, file), viewer: guest }));
  }

  /** Returns the folder with the rights of a guest if the link shares it, or null. */
  async findSharedFolder(link: SharedItem, guest: GuestViewer | null, id: number): Promise<AccessibleFolder | null> {
    const [folder] = await this.access.findSharedFolders(link, [id]);
    return folder ? { ...folder, role: guestRights(link, link).role, viewer: guest } : null;
  }

  /**
   * Resolves a location for reading.
   * @throws FOLDER_NOT_FOUND if the folder is not visible in this zone
   */
  async resolveReadableLocation(
    zone: AccessibleZone,
    userId: number,
    folderId: number | null,
  ): Promise<FolderLocation> {
    const { id: zoneId, ownerId, role } = zone;
    const seenIn = { zoneId, ownerId, role, folderId, viewer: userId };
    if (folderId === null)
      return { ...seenIn, contentZoneId: zoneId, contentFolderId: null, readOnly: false, depth: 0 };
    const folder = await this.findFolder(folderId, userId, zoneId);
    if (!folder) throw fileErrors.FOLDER_NOT_FOUND();
    return {
      ...seenIn,
      contentZoneId: folder.contentZoneId,
      contentFolderId: folder.contentFolderId,
      readOnly: folder.isMirror || folder.mountId !== null,
      depth: folder.depth,
    };
  }

  /**
   * Resolves a location for writing.
   * @param createError creates the error to throw if the location is inside a mirror
   * @throws FOLDER_NOT_FOUND, MIRROR_READ_ONLY
   */
  async resolveWritableLocation(
    zone: AccessibleZone,
    userId: number,
    folderId: number | null,
    createError: () => Error = fileErrors.MIRROR_READ_ONLY,
  ): Promise<FolderLocation> {
    const location = await this.resolveReadableLocation(zone, userId, folderId);
    if (location.readOnly) throw createError();
    return location;
  }
}
