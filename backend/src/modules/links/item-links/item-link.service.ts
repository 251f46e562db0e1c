import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { AuditType } from '../../../platform/audit/audit-types.js';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { newToken } from '../../../platform/security/secrets.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import { fileErrors } from '../../files/files.errors.js';
import { FileRequestRepository } from '../../files/requests/file-request.repository.js';
import { ZoneAccessRepository } from '../../zones/access/zone-access.repository.js';
import { zoneAbilities } from '../../zones/access/zone.policy.js';
import { ZoneRepository } from '../../zones/zone/zone.repository.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import type { CreateItemLinkDto, ItemGuestDto, ItemLinkDto, UpdateItemLinkDto } from '../dto/item-link.dto.js';
import { linkState } from '../link.policy.js';
import { linkErrors } from '../links.errors.js';
import { parseLinkExpiry, tooFewUses } from '../shared/link-limits.js';
import { LinkPasswordService } from '../temporary/link-password.service.js';
import { ItemLinkRepository, type ItemLinkRow, type LinkedItem } from './item-link.repository.js';

/** Creates, updates and ends links to files and folders on behalf of the zone's owner. */
@Injectable()
export class ItemLinkService {
  constructor(
    private readonly em: EntityManager,
    private readonly links: ItemLinkRepository,
    private readonly fileRequests: FileRequestRepository,
    private readonly zones: ZoneRepository,
    private readonly access: ZoneAccessRepository,
    private readonly linkPassword: LinkPasswordService,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** Lists the links to an item, newest first. The caller has checked that the viewer may share it. */
  async listLinks(item: LinkedItem, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<ItemLinkDto>> {
    return this.toPage(await this.links.findLinks(item, { limit: limit + 1, cursor }), limit);
  }

  /** Lists the links to all files and folders of a zone, newest first. The caller has checked the viewer's rights. */
  async listZoneLinks(zoneId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<ItemLinkDto>> {
    return this.toPage(await this.links.findZoneLinks(zoneId, { limit: limit + 1, cursor }), limit);
  }

  /**
   * Creates a link to an item that the user may share.
   * @throws VALIDATION_FAILED if the end is in the past, or visitors may send files but the folder requests none or the
   * link doesn't ask for the address; ZONE_NOT_FOUND, FILE_NOT_FOUND, FOLDER_NOT_FOUND if the item
   * has been deleted meanwhile
   */
  async createLink(item: LinkedItem, userId: number, dto: CreateItemLinkDto): Promise<ItemLinkDto> {
    const expiresAt = this.parseExpiry(dto) ?? null;
    const password = dto.password == null ? null : await this.linkPassword.hash(dto.password);
    const { zoneId, fileId } = item;
    const allowUploads = dto.allowUploads ?? false;
    const needsEmail = dto.needsEmail ?? false;
    if (allowUploads) assertAsksEmail(needsEmail);
    const id = await inTransaction(this.em, async (em) => {
      if (!(await this.zones.lockZone(em, zoneId))) throw zoneErrors.ZONE_NOT_FOUND();
      if (allowUploads) await this.assertRequestsFiles(em, item.folderId);
      const id = await this.links.insertLink(em, {
        ...item,
        name: dto.name,
        token: newToken().slice(0, 22),
        expiresAt,
        maxUses: dto.maxUses ?? null,
        password,
        needsEmail,
        allowDownload: dto.allowDownload ?? true,
        requestFolderId: allowUploads ? item.folderId : null,
        createdById: userId,
      });
      if (id === null) throw fileId === null ? fileErrors.FOLDER_NOT_FOUND() : fileErrors.FILE_NOT_FOUND();
      await this.recordAudit(em, 'item-link.created', userId, { id, zoneId });
      return id;
    });
    return this.findDto(id);
  }

  /** @throws ITEM_LINK_NOT_FOUND, ZONE_FORBIDDEN */
  async findLink(id: number, userId: number): Promise<ItemLinkDto> {
    await this.assertManageable(id, userId);
    return this.findDto(id);
  }

  /**
   * Lists the guests of a link, newest first.
   * @throws ITEM_LINK_NOT_FOUND, ZONE_FORBIDDEN
   */
  async listGuests(
    id: number,
    userId: number,
    { limit = LIST_LIMIT, cursor }: ListQueryDto,
  ): Promise<Page<ItemGuestDto>> {
    await this.assertManageable(id, userId);
    const { rows, total } = await this.links.findGuests(id, { limit: limit + 1, cursor });
    return toPage(rows, limit, total, (guest) => [guest.id]);
  }

  /**
   * Updates a link; omitted fields stay unchanged, null removes a limit or the password. With another password, earlier
   * guests must enter again.
   * @throws ITEM_LINK_NOT_FOUND, ZONE_FORBIDDEN
   * @throws VALIDATION_FAILED if the end is in the past or the limit is lower than the number of uses, or visitors may
   * send files but the folder requests none or the link doesn't ask for the address
   */
  async updateLink(id: number, userId: number, dto: UpdateItemLinkDto): Promise<ItemLinkDto> {
    const zoneId = await this.assertManageable(id, userId);
    const expiresAt = this.parseExpiry(dto);
    const password = dto.password == null ? dto.password : await this.linkPassword.hash(dto.password);
    await inTransaction(this.em, async (em) => {
      // Before the link, so that the file request can't be stopped meanwhile.
      if (dto.allowUploads) await this.zones.lockZone(em, zoneId);
      const link = await this.links.lockLink(em, id);
      if (!link) throw linkErrors.ITEM_LINK_NOT_FOUND();
      if (dto.maxUses != null && dto.maxUses < link.currentUses) throw tooFewUses(link.currentUses);
      const wasActive = link.isActive;
      if (dto.name !== undefined) link.name = dto.name;
      if (dto.maxUses !== undefined) link.maxUses = dto.maxUses;
      if (dto.needsEmail !== undefined) link.needsEmail = dto.needsEmail;
      if (dto.allowDownload !== undefined) link.allowDownload = dto.allowDownload;
      if (dto.allowUploads === true) {
        await this.assertRequestsFiles(em, link.folderId ?? null);
        link.requestFolderId = link.folderId;
      } else if (dto.allowUploads === false) link.requestFolderId = null;
      if (link.requestFolderId !== null) assertAsksEmail(link.needsEmail);
      if (dto.isActive !== undefined) link.isActive = dto.isActive;
      if (password !== undefined) Object.assign(link, { password, passwordAttackedAt: null });
      if (expiresAt !== undefined) link.expiresAt = expiresAt;
      if (wasActive !== link.isActive)
        await this.recordAudit(em, `item-link.${link.isActive ? 'resumed' : 'paused'}`, userId, { id, zoneId });
      await this.links.saveLink(em, link);
    });
    return this.findDto(id);
  }

  /**
   * Deletes a link with its guests and statistics.
   * @throws ITEM_LINK_NOT_FOUND, ZONE_FORBIDDEN
   */
  async deleteLink(id: number, userId: number): Promise<void> {
    const zoneId = await this.assertManageable(id, userId);
    await inTransaction(this.em, async (em) => {
      if (!(await this.links.deleteLink(em, id))) throw linkErrors.ITEM_LINK_NOT_FOUND();
      await this.recordAudit(em, 'item-link.deleted', userId, { id, zoneId });
    });
  }

  /**
   * Returns the zone of a link that the user may manage. Non-members can't tell that it exists.
   * @throws ITEM_LINK_NOT_FOUND, ZONE_FORBIDDEN
   */
  private async assertManageable(id: number, userId: number): Promise<number> {
    const zoneId = await this.links.findZoneId(id);
    const zone = zoneId === null ? null : await this.access.findAccessibleZone(zoneId, userId);
    if (!zone) throw linkErrors.ITEM_LINK_NOT_FOUND();
    if (!zoneAbilities(zone.role).share) throw zoneErrors.ZONE_FORBIDDEN();
    return zone.id;
  }

  /** @throws VALIDATION_FAILED for a file, and for a folder that requests no files */
  private async assertRequestsFiles(em: EntityManager, folderId: number | null): Promise<void> {
    if (folderId === null || !(await this.fileRequests.isRequesting(em, folderId))) throw requestMissing();
  }

  /** Returns when the link ends: null for never, undefined if the request doesn't say. */
  private parseExpiry({ expiresAt, expiresInHours }: UpdateItemLinkDto): Date | null | undefined {
    const hours = expiresInHours === undefined ? {} : { expiresInHours };
    if (expiresAt === undefined || expiresAt === null)
      return parseLinkExpiry(hours, this.clock.now()) ?? (expiresAt === null ? null : undefined);
    return parseLinkExpiry({ expiresAt, ...hours }, this.clock.now());
  }

  private async findDto(id: number): Promise<ItemLinkDto> {
    const row = await this.links.findLink(id);
    if (!row) throw linkErrors.ITEM_LINK_NOT_FOUND();
    return this.toDto(row);
  }

  private toPage({ rows, total }: { rows: ItemLinkRow[]; total: number }, limit: number): Page<ItemLinkDto> {
    const links = rows.map((row) => this.toDto(row));
    return toPage(links, limit, total, ({ id }) => [id]);
  }

  private toDto(link: ItemLinkRow): ItemLinkDto {
    return { ...link, url: `${this.config.appUrl}/s/${link.token}`, state: linkState(link, this.clock.now()) };
  }

  private recordAudit(
    em: EntityManager,
    type: AuditType,
    actorId: number,
    { id, zoneId }: { id: number; zoneId: number },
  ) {
    return this.audit.record(em, { type, actorId, params: { zoneId, linkId: id } });
  }
}

/** @throws VALIDATION_FAILED if a link that accepts files doesn't ask for the address */
function assertAsksEmail(needsEmail: boolean): void {
  if (!needsEmail) throw emailNotAsked();
}

const emailNotAsked = () =>
  fieldError('needsEmail', {
    en: 'A link by which visitors send files must ask for their email address.',
    tr: 'Ziyaretçilerin dosya gönderdiği bir bağlantı e-posta adresini sormalıdır.',
  });

const requestMissing = () =>
  fieldError('allowUploads', {
    en: "This folder doesn't request files. Request files in it first.",
    tr: 'Bu klasörde dosya isteği yok. Önce klasörde dosya isteyin.',
  });
