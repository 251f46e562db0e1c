import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../../platform/database/transaction.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { fullName } from '../../auth/entities/user.entity.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import type { AccessibleFolder } from '../access/file-access.repository.js';
import type { SaveFileRequestDto, SenderDto, SubmissionDto } from '../dto/file-request.dto.js';
import { fileErrors } from '../files.errors.js';
import { guestCode } from '../shared/file-name.js';
import { ItemPlacementService } from '../shared/item-placement.service.js';
import { decideSubmission, type SubmissionTerms } from './file-request.policy.js';
import {
  FileRequestRepository,
  type RequestTerms,
  type Sender,
  type SubmissionRow,
} from './file-request.repository.js';

/** Lets folders receive files from members who may otherwise only read. */
@Injectable()
export class FileRequestService {
  constructor(
    private readonly em: EntityManager,
    private readonly requests: FileRequestRepository,
    private readonly placement: ItemPlacementService,
  ) {}

  /**
   * Requests files in a folder, or changes the terms. Files that were sent before stay as visible as they are.
   * @throws MIRROR_READ_ONLY; FOLDER_NOT_FOUND if the folder was deleted in the meantime
   */
  async saveRequest(folder: AccessibleFolder, userId: number, dto: SaveFileRequestDto): Promise<void> {
    if (folder.isMirror) throw fileErrors.MIRROR_READ_ONLY();
    const request = {
      folderId: folder.id,
      isPrivate: dto.isPrivate,
      instructions: dto.instructions || null,
      closesAt: dto.closesAt ? new Date(dto.closesAt) : null,
      maxFilesPerPerson: dto.maxFilesPerPerson ?? null,
      maxFileBytes: dto.maxFileBytes ?? null,
      createdById: userId,
    };
    await inTransaction(this.em, async (em) => {
      await this.placement.lockZone(em, folder.zoneId, 'tree');
      await this.placement.getFolderDepth(em, folder.zoneId, folder.id);
      await this.requests.saveRequest(em, request);
    });
  }

  /**
   * Ends a file request. The files stay.
   * @throws FILE_REQUEST_NOT_FOUND
   */
  async stopRequest(folder: AccessibleFolder): Promise<void> {
    await inTransaction(this.em, async (em) => {
      await this.placement.lockZone(em, folder.zoneId, 'tree');
      if (!(await this.requests.deleteRequest(em, folder.id))) throw fileErrors.FILE_REQUEST_NOT_FOUND();
    });
  }

  /** Lists the files that were sent to a folder, by person and then newest first. */
  async listSubmissions(
    folder: AccessibleFolder,
    { limit = LIST_LIMIT, cursor }: ListQueryDto,
  ): Promise<Page<SubmissionDto>> {
    const rows = await this.requests.listSubmissions(folder, limit + 1, cursor);
    const total = await this.requests.countSubmissions(folder);
    const page = toPage(rows, limit, total, ({ userId, guestKey, senderName, senderKey, id }) => [
      userId !== null ? 0 : guestKey !== null ? 1 : 2,
      senderName,
      senderKey,
      -id,
    ]);
    return { ...page, items: page.items.map(toSubmission) };
  }

  /**
   * Returns the terms under which a person may send files now. The caller holds the lock of the zone and inserts the
   * files in the same transaction, so that the number is exact.
   * @throws ZONE_FORBIDDEN if the folder no longer requests files; FILE_REQUEST_CLOSED, FILE_REQUEST_LIMIT
   */
  async getAcceptedTerms(em: EntityManager, folderId: number, sender: Sender, count: number): Promise<RequestTerms> {
    const terms = await this.requests.findTerms(em, folderId, sender);
    if (!terms) throw zoneErrors.ZONE_FORBIDDEN();
    assertAccepted(terms, count);
    return terms;
  }
}

/** @throws FILE_REQUEST_CLOSED, FILE_REQUEST_LIMIT if a person can't send `count` more files */
export function assertAccepted(terms: SubmissionTerms, count: number): void {
  const decision = decideSubmission(terms, count);
  if (decision === 'FILE_REQUEST_CLOSED') throw fileErrors.FILE_REQUEST_CLOSED();
  if (decision === 'FILE_REQUEST_LIMIT') throw fileErrors.FILE_REQUEST_LIMIT({ allowed: terms.maxFilesPerPerson! });
}

function toSubmission({ id, name, mimeType, size, sentAt, ...row }: SubmissionRow): SubmissionDto {
  return { id, name, mimeType, size, sentAt, sender: toSender(row) };
}

function toSender(
  row: Pick<SubmissionRow, 'userId' | 'guestKey' | 'guestEmail' | 'firstName' | 'lastName' | 'username'>,
): SenderDto | null {
  const { userId, guestKey, guestEmail: email, firstName, lastName, username } = row;
  if (userId !== null) {
    const name = fullName({ firstName, lastName }) || (username ?? '');
    return { id: userId, name, email: null, code: null, isGuest: false };
  }
  return guestKey === null ? null : { id: null, name: null, email, code: guestCode(guestKey), isGuest: true };
}
