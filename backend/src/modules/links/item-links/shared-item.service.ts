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
import { fileErrors } from '../../files/files.errors.js';
import type { Reader } from '../../files/reading/content-delivery.service.js';
import { FileListService } from '../../files/reading/file-list.service.js';
import { FolderListService } from '../../files/reading/folder-list.service.js';
import { ZipPlanService, type ZipPlan } from '../../files/zip/zip-plan.service.js';
import type { ZipRecipient } from '../../files/zip/zip-stream.service.js';
import type {
  SharedFileDetailDto,
  SharedFileDto,
  SharedFolderDetailDto,
  SharedFolderDto,
  SharedItemDto,
  SharedLinkDto,
  SharedListQueryDto,
  SharedPlaceDto,
} from '../dto/shared-item.dto.js';
import { isUsedUp } from '../link.policy.js';
import { linkErrors } from '../links.errors.js';
import { LinkPasswordService } from '../temporary/link-password.service.js';
import { GuestCookieService, type GuestClaim } from './guest-cookie.service.js';
import { admitsNewGuests, isAdmitted, isOpen } from './item-link.policy.js';
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
    const isGuest = isAdmitted(link, await this.findGuest(link, claim), now);
    if (!known && !memberPlace && !admitsNewGuests(link, now)) throw linkErrors.SHARED_USED_UP();
    return toSharedLink(link, isGuest ? root : null, memberPlace);
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
    const description = toSharedLink(link, root, null);
    const known = await this.findKnownGuest(link, claim);
    const entered = await this.findGuest(link, claim);
    const now = this.clock.now();
    if (entered && isAdmitted(link, entered, now)) return { link, guest: entered, description };
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
    const guest = known
      ? await this.readmitGuest(link.id, known, stated)
      : await this.admitGuest(link.id, stated, ipAddress);
    return { link, guest, description };
  }

  /**
   * Returns a file that the link shares.
   * @throws SHARED_NOT_FOUND, SHARED_NOT_ENTERED
   */
  async findFile(token: string, claim: GuestClaim | null, fileId: number): Promise<SharedFile> {
    const { link, guest } = await this.getVisit(token, claim);
    const file = await this.access.findSharedFile(link, fileId);
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
    const { link } = await this.getVisit(token, claim);
    const file = await this.access.findSharedFile(link, fileId);
    if (!file) throw linkErrors.SHARED_NOT_FOUND();
    const { folderId } = await this.files.findOne(fileId, file);
    return { ...toSharedFile(file), folderId: link.folderId === null ? null : folderId };
  }

  /**
   * Describes a folder below the shared one, or the shared folder itself.
   * @throws SHARED_NOT_FOUND, SHARED_NOT_ENTERED
   */
  async describeFolder(token: string, claim: GuestClaim | null, folderId: number): Promise<SharedFolderDetailDto> {
    const { link } = await this.getVisit(token, claim);
    const { id, name, path } = await this.folders.findOne(await this.findFolder(link, folderId));
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
    const { link } = await this.getVisit(token, claim);
    const found = await this.files.listFiles(toLocation(await this.findFolder(link, folderId)), page);
    return { ...found, items: found.items.map((file) => toSharedFile({ ...file, ...guestRights(link, file) })) };
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
    const { link } = await this.getVisit(token, claim);
    const found = await this.folders.listFolders(toLocation(await this.findFolder(link, folderId)), page);
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
    const { link, guest } = await this.getVisit(token, claim);
    const plan = await this.zipPlan.planSharedFolder(await this.findFolder(link, folderId), link);
    const findFiles = async (ids: readonly number[]) => {
      const current = await this.links.findByToken(token);
      if (!current || !isAdmitted(current, await this.findGuest(current, claim), this.clock.now())) return [];
      return this.access.findSharedFiles(current, ids);
    };
    return { plan, recipient: { zoneId: link.zoneId, reader: this.toReader(link, guest), findFiles } };
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
    const file = fileId === null ? null : await this.access.findSharedFile(link, fileId);
    if (file) return { file, folder: null };
    const folder = folderId === null ? null : await this.access.findSharedFolder(link, folderId);
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

  /** Returns the link and the guest who has entered. Only guests learn whether an item exists. */
  private async getVisit(token: string, claim: GuestClaim | null): Promise<Visit> {
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
    const guest = await this.findKnownGuest(link, claim);
    return claim && guest && this.cookies.hasPresentPassword(claim, link, guest) ? guest : null;
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
      const returning = email === null ? null : await this.links.touchGuest(em, linkId, email);
      if (returning) return { guest: returning, isNew: false };
      if (!(await this.links.incrementUses(em, linkId))) throw linkErrors.SHARED_NOT_FOUND();
      return { guest: await this.links.insertGuest(em, linkId, email), isNew: true };
    });
    if (!isNew) await this.limits.refund(NEW_GUEST_RATE, network);
    return guest;
  }

  /** Lets somebody who has entered before enter again, which is no other use. Adds the address if it was never asked. */
  private readmitGuest(linkId: number, guest: Guest, email: string | null): Promise<Guest> {
    return inTransaction(this.em, async (em) => {
      const terms = await this.links.lockTerms(em, linkId);
      if (!terms || !isOpen(terms, this.clock.now())) throw linkErrors.SHARED_NOT_FOUND();
      if (email === null || guest.email !== null) return guest;
      const sameAddress = await this.links.touchGuest(em, linkId, email);
      if (sameAddress) return sameAddress;
      await this.links.setGuestEmail(em, guest.id, email);
      return { ...guest, email };
    });
  }

  private async findFolder(link: VisitedLink, folderId: number | undefined): Promise<AccessibleFolder> {
    const id = link.folderId === null ? null : (folderId ?? link.folderId);
    const folder = id === null ? null : await this.access.findSharedFolder(link, id);
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

function toSharedLink(link: VisitedLink, root: SharedRoot | null, memberPlace: SharedPlaceDto | null): SharedLinkDto {
  return {
    owner: { firstName: link.ownerFirstName, lastName: link.ownerLastName },
    expiresAt: link.expiresAt,
    requiresPassword: link.password !== null,
    needsEmail: link.needsEmail,
    item: root && toSharedItem(link, root),
    memberPlace,
  };
}

const toSharedItem = ({ allowDownload }: VisitedLink, { file, folder }: SharedRoot): SharedItemDto => ({
  file: file && toSharedFile(file),
  folder: folder && { id: folder.id, name: folder.name },
  allowDownload,
});

/** @param file with the rights of a guest */
function toSharedFile(
  file: Pick<AccessibleFile, 'id' | 'originalName' | 'mimeType' | 'size' | 'role' | 'allowDownload' | 'allowText'>,
): SharedFileDto {
  const { id, originalName: name, mimeType, size } = file;
  return { id, name, mimeType, size, can: guestAbilities(file) };
}

/** Read-only, so that mirrors in the folder are left out. */
const toLocation = ({ id, zoneId, ownerId, role, depth }: AccessibleFolder): FolderLocation => ({
  zoneId,
  ownerId,
  role,
  folderId: id,
  contentZoneId: zoneId,
  contentFolderId: id,
  readOnly: true,
  depth,
  viewerId: null,
});
