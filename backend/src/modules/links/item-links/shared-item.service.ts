import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock, HOUR } from '../../../platform/clock/clock.js';
import { setPoolTenantOwner } from '../../../platform/database/pool/pool-partitioning.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Page } from '../../../platform/http/lists/list.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { wideNetworkOf } from '../../../platform/http/networks/client-network.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import type { AccessibleFile, AccessibleFolder } from '../../files/access/file-access.repository.js';
import { FileAccessService, type FolderLocation } from '../../files/access/file-access.service.js';
import { guestAbilities, guestRights } from '../../files/access/file.policy.js';
import type { FileDto } from '../../files/dto/file.dto.js';
import { fileErrors } from '../../files/files.errors.js';
import type { Reader } from '../../files/reading/content-delivery.service.js';
import { FileListService } from '../../files/reading/file-list.service.js';
import { FolderListService } from '../../files/reading/folder-list.service.js';
import { FileRequestRepository } from '../../files/requests/file-request.repository.js';
import { FileSizeLimitService } from '../../files/upload/file-size-limit.service.js';
import { ZipPlanService, type ZipPlan } from '../../files/zip/zip-plan.service.js';
import type { ZipRecipient } from '../../files/zip/zip-stream.service.js';
import type {
  SharedFileDetailDto,
  SharedFileDto,
  SharedFileRequestDto,
  SharedFolderDetailDto,
  SharedFolderDto,
  SharedItemDto,
  SharedLinkDto,
  SharedListQueryDto,
  SharedPlaceDto,
} from '../dto/shared-item.dto.js';
import type { GuestViewer } from '../../zones/access/visible-files.sql.js';
import { isUsedUp } from '../link.policy.js';
import { linkErrors } from '../links.errors.js';
import { LinkPasswordService } from '../temporary/link-password.service.js';
import { GuestCookieService, type GuestClaim } from './guest-cookie.service.js';
import { admitsNewGuests, guestSizeLimit, isAdmitted, isOpen } from './item-link.policy.js';
import { ItemLinkRepository, type Guest, type VisitedLink } from './item-link.repository.js';

/**
 * Limit for new guests of a link from a wider network, because anybody can become another guest by deleting a cookie
 * (ADR 0062). A lecture hall behind one address stays below it.
 */
const NEW_GUEST_RATE: RateRule = { name: 'shared-new-guest', limit: 200, window: HOUR };

/** What a visitor enters. */
interface Entry {
  readonly password?: string;
  /** In lower case. */
  readonly email?: string;
  readonly ipAddress: string | null;
}

/** A link and a guest whom it admits. */
export interface Visit {
  readonly link: VisitedLink;
  readonly guest: Guest;
}

/** A file that a guest may read. */
export interface SharedFile {
  readonly file: AccessibleFile;
  readonly reader: Reader;
  readonly linkId: number;
}

/** What a link leads to. */
type SharedRoot =
  { readonly file: AccessibleFile; readonly folder: null } | { readonly file: null; readonly folder: AccessibleFolder };

/**
 * Shows files and folders to the guests of links. Every request checks the link, the guest and the place of the item
 * again. A link that is paused or has expired, and one whose item is gone, are answered like an unknown one.
 */
@Injectable()
export class SharedItemService {
  constructor(
    private readonly em: EntityManager,
    private readonly links: ItemLinkRepository,
    private readonly cookies: GuestCookieService,
    private readonly linkPassword: LinkPasswordService,
    private readonly limits: RateLimitService,
    private readonly access: FileAccessService,
    private readonly files: FileListService,
    private readonly folders: FolderListService,
    private readonly zipPlan: ZipPlanService,
    private readonly requests: FileRequestRepository,
    private readonly fileSizeLimit: FileSizeLimitService,
    private readonly clock: Clock,
  ) {}

  /**
   * Describes a link. Nothing of its content is shown before the visitor has entered.
   * @param userId the signed-in visitor; null for everybody else
   * @throws SHARED_NOT_FOUND; SHARED_USED_UP to people who haven't entered before and are no members of the item's zone
   */
  async describeLink(token: string, claim: GuestClaim | null, userId: number | null): Promise<SharedLinkDto> {
    const { link, root } = await this.findLink(token);
    const memberPlace = userId === null ? null : await this.findMemberPlace(link, userId);
    const known = await this.findKnownGuest(link, claim);
    const now = this.clock.now();
    const guest = await this.findGuest(link, claim);
    if (!known && !memberPlace && !admitsNewGuests(link, now)) throw linkErrors.SHARED_USED_UP();
    if (guest && isAdmitted(link, guest, now)) return this.describeRoot(link, root, guest, memberPlace);
    return toSharedLink(link, null, memberPlace);
  }

  /**
   * Enters by a link. Somebody who has entered before stays the same guest; every other one counts as a use.
   * @throws SHARED_NOT_FOUND, SHARED_USED_UP, LINK_PASSWORD_WRONG, TOO_MANY_REQUESTS, SERVER_BUSY; VALIDATION_FAILED
   * without the address that the link asks for
   */
  async enter(
    token: string,
    claim: GuestClaim | null,
    { password = '', email, ipAddress }: Entry,
  ): Promise<Visit & { description: SharedLinkDto }> {
    const { link, root } = await this.findLink(token);
    setPoolTenantOwner(link.ownerId);
    const known = await this.findKnownGuest(link, claim);
    const entered = await this.findGuest(link, claim);
    const now = this.clock.now();
    if (entered && isAdmitted(link, entered, now))
      return { link, guest: entered, description: await this.describeRoot(link, root, entered) };
    if (!known && !admitsNewGuests(link, now)) throw linkErrors.SHARED_USED_UP();
    if (link.password !== null) {
      const protectedLink = {
        id: `item-${link.id}`,
        password: link.password,
        isKnownVisitor: known !== null,
        recordAttack: () => this.links.recordPasswordAttack(link.id),
      };
      await this.linkPassword.assertPassword(protectedLink, password, ipAddress);
    }
    const stated = link.needsEmail ? email : null;
    if (stated === undefined) throw emailRequired();
    const readmitted = known && (await this.readmitGuest(link.id, known, stated));
    const guest = readmitted ?? (await this.admitGuest(link.id, stated, ipAddress));
    return { link, guest, description: await this.describeRoot(link, root, guest) };
  }

  /**
   * Returns a file that the link shares.
   * @throws SHARED_NOT_FOUND, SHARED_NOT_ENTERED
   */
  async findFile(token: string, claim: GuestClaim | null, fileId: number): Promise<SharedFile> {
    const { link, guest } = await this.getVisit(token, claim);
    const file = await this.access.findSharedFile(link, toViewer(guest), fileId);
    if (!file) throw linkErrors.SHARED_NOT_FOUND();
    return { file, reader: this.toReader(link, guest), linkId: link.id };
  }

  /**
   * Returns a file of which the guest may read the text.
   * @throws SHARED_NOT_FOUND, SHARED_NOT_ENTERED, TEXT_NOT_ALLOWED
   */
  async findReadableFile(token: string, claim: GuestClaim | null, fileId: number): Promise<SharedFile> {
    const shared = await this.findFile(token, claim, fileId);
    if (!guestAbilities(shared.file).text) throw fileErrors.TEXT_NOT_ALLOWED();
    return shared;
  }

  /**
   * Describes a file that the link shares.
   * @throws SHARED_NOT_FOUND, SHARED_NOT_ENTERED
   */
  async describeFile(token: string, claim: GuestClaim | null, fileId: number): Promise<SharedFileDetailDto> {
    const { link, guest } = await this.getVisit(token, claim);
    const file = await this.access.findSharedFile(link, toViewer(guest), fileId);
    if (!file) throw linkErrors.SHARED_NOT_FOUND();
    const found = await this.files.findOne(fileId, file);
    const [shared] = await this.toSharedFiles({ link, guest }, [found]);
    return { ...shared!, folderId: link.folderId === null ? null : found.folderId };
  }

  /**
   * Describes a folder below the shared one, or the shared folder itself.
   * @throws SHARED_NOT_FOUND, SHARED_NOT_ENTERED
   */
  async describeFolder(token: string, claim: GuestClaim | null, folderId: number): Promise<SharedFolderDetailDto> {
    const visit = await this.getVisit(token, claim);
    const { link } = visit;
    const { id, name, path } = await this.folders.findOne(await this.findFolder(visit, folderId));
    return { id, name, path: path.slice(path.findIndex((folder) => folder.id === link.folderId)) };
  }

  /**
   * Lists the files in a shared folder by name.
   * @throws SHARED_NOT_FOUND, SHARED_NOT_ENTERED
   */
  async listFiles(
    token: string,
    claim: GuestClaim | null,
    { folderId, ...page }: SharedListQueryDto,
  ): Promise<Page<SharedFileDto>> {
    const visit = await this.getVisit(token, claim);
    const found = await this.files.listFiles(toLocation(await this.findFolder(visit, folderId)), page);
    return { ...found, items: await this.toSharedFiles(visit, found.items) };
  }

  /**
   * Lists the subfolders of a shared folder by name.
   * @throws SHARED_NOT_FOUND, SHARED_NOT_ENTERED
   */
  async listFolders(
    token: string,
    claim: GuestClaim | null,
    { folderId, ...page }: SharedListQueryDto,
  ): Promise<Page<SharedFolderDto>> {
    const visit = await this.getVisit(token, claim);
    const found = await this.folders.listFolders(
      // Read-only, so that mirrors in the folder are left out.
      { ...toLocation(await this.findFolder(visit, folderId)), readOnly: true },
      page,
    );
    return { ...found, items: found.items.map(({ id, name }) => ({ id, name })) };
  }

  /**
   * Plans an archive of a shared folder. While it is sent, the link and the guest are checked again for each batch.
   * @throws SHARED_NOT_FOUND, SHARED_NOT_ENTERED, DOWNLOAD_NOT_ALLOWED, TOO_MUCH_TO_DOWNLOAD
   */
  async planArchive(
    token: string,
    claim: GuestClaim | null,
    folderId: number | undefined,
  ): Promise<{ plan: ZipPlan; recipient: ZipRecipient }> {
    const visit = await this.getVisit(token, claim);
    const { link, guest } = visit;
    const plan = await this.zipPlan.planSharedFolder(await this.findFolder(visit, folderId), link);
    const findFiles = async (ids: readonly number[]) => {
      const current = await this.links.findByToken(token);
      if (!current || !isAdmitted(current, await this.findGuest(current, claim), this.clock.now())) return [];
      return this.access.findSharedFiles(current, toViewer(guest), ids);
    };
    return { plan, recipient: { zoneId: link.zoneId, reader: this.toReader(link, guest), findFiles } };
  }

  /** Describes a link with what it shares, and what it requests, to a guest. */
  private async describeRoot(
    link: VisitedLink,
    root: SharedRoot,
    guest: Guest,
    memberPlace: SharedPlaceDto | null = null,
  ): Promise<SharedLinkDto> {
    const fileRequest = await this.describeRequest(link, root, guest);
    return toSharedLink(link, { ...toSharedItem(link, root), fileRequest }, memberPlace);
  }

  /** Returns the file request of a link by which guests may send files, otherwise null. */
  private async describeRequest(
    link: VisitedLink,
    { folder }: SharedRoot,
    guest: Guest,
  ): Promise<SharedFileRequestDto | null> {
    if (link.requestFolderId === null || !folder) return null;
    const { fileRequest } = await this.folders.findOne({ ...folder, viewer: toViewer(guest) });
    if (!fileRequest) return null;
    return {
      ...fileRequest,
      maxFileBytes: await this.fileSizeLimit.getLimit(link.ownerId, guestSizeLimit(fileRequest.maxFileBytes)),
    };
  }

  /** Describes files as the guest may see and remove them. */
  async toSharedFiles({ link, guest }: Visit, files: readonly FileDto[]): Promise<SharedFileDto[]> {
    const ids = files.map(({ id }) => id);
    const sent = guest.canSend ? await this.requests.findSentIds(ids, toViewer(guest)) : new Set<number>();
    return files.map((file) => {
      const shared = toSharedFile({ ...file, ...guestRights(link, file) });
      const remove = file.can.delete && link.requestFolderId !== null;
      return { ...shared, isSent: sent.has(file.id), can: { ...shared.can, remove } };
    });
  }

  /** Returns an open link with what it leads to. */
  private async findLink(token: string): Promise<{ link: VisitedLink; root: SharedRoot }> {
    const link = await this.findOpenLink(token);
    return { link, root: await this.findRoot(link) };
  }

  private async findOpenLink(token: string): Promise<VisitedLink> {
    const link = await this.links.findByToken(token);
    if (!link || !isOpen(link, this.clock.now())) throw linkErrors.SHARED_NOT_FOUND();
    return link;
  }

  private async findRoot(link: VisitedLink): Promise<SharedRoot> {
    const { fileId, folderId } = link;
    const file = fileId === null ? null : await this.access.findSharedFile(link, null, fileId);
    if (file) return { file, folder: null };
    const folder = folderId === null ? null : await this.access.findSharedFolder(link, null, folderId);
    if (folder) return { file: null, folder };
    throw linkErrors.SHARED_NOT_FOUND();
  }

  /** Returns where somebody who is a member of the zone, or of one that mirrors the item, can read it; otherwise null. */
  private async findMemberPlace({ fileId, folderId }: VisitedLink, userId: number): Promise<SharedPlaceDto | null> {
    const file = fileId === null ? null : await this.access.findFile(fileId, userId);
    const folder = folderId === null ? null : await this.access.findFolder(folderId, userId);
    const zoneId = (file ?? folder)?.zoneId;
    return zoneId === undefined ? null : { zoneId, fileId, folderId };
  }

  /**
   * Checks once more that the link is open and admits the guest, and keeps it so until the commit.
   * @throws SHARED_NOT_FOUND, SHARED_NOT_ENTERED
   */
  async lockVisit(em: EntityManager, token: string, claim: GuestClaim | null): Promise<Visit> {
    const link = await this.links.lockByToken(em, token);
    const now = this.clock.now();
    if (!link || !isOpen(link, now)) throw linkErrors.SHARED_NOT_FOUND();
    const guest = claim && (await this.links.touchSender(em, link.id, claim.guestId));
    if (!claim || !guest || !this.isEntered(claim, link, guest) || !isAdmitted(link, guest, now))
      throw linkErrors.SHARED_NOT_ENTERED();
    return { link, guest };
  }

  /**
   * Returns the link and the guest who has entered. Only guests learn whether an item exists.
   * @throws SHARED_NOT_FOUND, SHARED_NOT_ENTERED
   */
  async getVisit(token: string, claim: GuestClaim | null): Promise<Visit> {
    const link = await this.findOpenLink(token);
    const guest = await this.findGuest(link, claim);
    if (guest && isAdmitted(link, guest, this.clock.now())) return { link, guest };
    await this.findRoot(link);
    throw linkErrors.SHARED_NOT_ENTERED();
  }

  /** Returns the guest whom a claim proves, also one who must enter again because the link's password has changed. */
  private async findKnownGuest(link: VisitedLink, claim: GuestClaim | null): Promise<Guest | null> {
    const guest = claim && (await this.links.findGuest(link.id, claim.guestId));
    return claim && guest && this.cookies.isAuthentic(claim, link, guest) ? guest : null;
  }

  /** Returns the guest whom a claim proves and who entered with the link's present password, or null. */
  private async findGuest(link: VisitedLink, claim: GuestClaim | null): Promise<Guest | null> {
    const guest = claim && (await this.links.findGuest(link.id, claim.guestId));
    return claim && guest && this.isEntered(claim, link, guest) ? guest : null;
  }

  private isEntered(claim: GuestClaim, link: VisitedLink, guest: Guest): boolean {
    return this.cookies.isAuthentic(claim, link, guest) && this.cookies.hasPresentPassword(claim, link, guest);
  }

  /**
   * Adds a guest and counts the use, or returns the one with this address. Locks the link first.
   * @throws TOO_MANY_REQUESTS if many have been added from the network; SHARED_NOT_FOUND, SHARED_USED_UP
   */
  private async admitGuest(linkId: number, email: string | null, ipAddress: string | null): Promise<Guest> {
    const network = `${linkId} ${wideNetworkOf(ipAddress)}`;
    await this.limits.consume(NEW_GUEST_RATE, network);
    const { guest, isNew } = await inTransaction(this.em, async (em) => {
      const terms = await this.links.lockTerms(em, linkId);
      if (!terms || !isOpen(terms, this.clock.now())) throw linkErrors.SHARED_NOT_FOUND();
      if (isUsedUp(terms)) throw linkErrors.SHARED_USED_UP();
      const canSend = terms.requestFolderId !== null;
      const returning = email === null || canSend ? null : await this.links.touchGuest(em, linkId, email);
      if (returning) return { guest: returning, isNew: false };
      if (!(await this.links.incrementUses(em, linkId))) throw linkErrors.SHARED_NOT_FOUND();
      return { guest: await this.links.insertGuest(em, linkId, email, canSend), isNew: true };
    });
    if (!isNew) await this.limits.refund(NEW_GUEST_RATE, network);
    return guest;
  }

  /**
   * Lets somebody who has entered before enter again, which is no other use. Adds the address if it was never asked.
   * Of several browsers that are the same guest, the first may send files; for the others it returns null.
   */
  private readmitGuest(linkId: number, guest: Guest, email: string | null): Promise<Guest | null> {
    return inTransaction(this.em, async (em) => {
      const terms = await this.links.lockTerms(em, linkId);
      if (!terms || !isOpen(terms, this.clock.now())) throw linkErrors.SHARED_NOT_FOUND();
      if (terms.requestFolderId !== null && !guest.canSend)
        return email === null ? null : this.links.makeSender(em, guest, email);
      if (email === null || guest.email !== null) return guest;
      const sameAddress = await this.links.touchGuest(em, linkId, email);
      if (sameAddress) return sameAddress;
      await this.links.setGuestEmail(em, guest.id, email);
      return { ...guest, email };
    });
  }

  /**
   * Returns a folder that the link shares.
   * @param folderId default: the folder to which the link leads
   * @throws SHARED_NOT_FOUND
   */
  async findFolder({ link, guest }: Visit, folderId?: number): Promise<AccessibleFolder> {
    const id = link.folderId === null ? null : (folderId ?? link.folderId);
    const folder = id === null ? null : await this.access.findSharedFolder(link, toViewer(guest), id);
    if (!folder) throw linkErrors.SHARED_NOT_FOUND();
    return folder;
  }

  private toReader({ id: linkId }: VisitedLink, { id }: Guest): Reader {
    return {
      userId: null,
      viewerKey: `l:${linkId}:${id}`,
      onCounted: (kind, count) => this.links.addOpenings(id, kind, count),
    };
  }
}

const emailRequired = () =>
  fieldError('email', {
    en: 'Please enter your email address.',
    tr: 'Lütfen e-posta adresinizi girin.',
  });

function toSharedLink(
  link: VisitedLink,
  item: SharedItemDto | null,
  memberPlace: SharedPlaceDto | null,
): SharedLinkDto {
  return {
    owner: { firstName: link.ownerFirstName, lastName: link.ownerLastName },
    expiresAt: link.expiresAt,
    requiresPassword: link.password !== null,
    needsEmail: link.needsEmail,
    item,
    memberPlace,
  };
}

const toSharedItem = (link: VisitedLink, { file, folder }: SharedRoot) => ({
  file: file && toSharedFile(file),
  folder: folder && { id: folder.id, name: folder.name },
  allowDownload: link.allowDownload,
});

/** @param file with the rights of a guest */
function toSharedFile(
  file: Pick<AccessibleFile, 'id' | 'originalName' | 'mimeType' | 'size' | 'role' | 'allowDownload' | 'allowText'>,
): SharedFileDto {
  const { id, originalName: name, mimeType, size } = file;
  return { id, name, mimeType, size, isSent: false, can: { ...guestAbilities(file), remove: false } };
}

export const toViewer = ({ key }: Guest): GuestViewer => ({ guestKey: key });

/** A folder as the place of its files and subfolders. */
export const toLocation = ({ id, zoneId, ownerId, role, depth, viewer }: AccessibleFolder): FolderLocation => ({
  zoneId,
  ownerId,
  role,
  folderId: id,
  contentZoneId: zoneId,
  contentFolderId: id,
  readOnly: false,
  depth,
  viewer,
});
