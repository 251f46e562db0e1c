import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { HOUR } from '../../../platform/clock/clock.js';
import { setPoolTenantOwner } from '../../../platform/database/pool/pool-partitioning.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { wideNetworkOf } from '../../../platform/http/networks/client-network.js';
import { FileAccessService } from '../../files/access/file-access.service.js';
import { FileListService } from '../../files/reading/file-list.service.js';
import { FileRequestRepository } from '../../files/requests/file-request.repository.js';
import { ItemTrashService } from '../../files/trash/item-trash.service.js';
import { FormUploadService } from '../../files/upload/form-upload.service.js';
import type { IncomingFile, UploadForm } from '../../files/upload/upload-form.js';
import { ZoneCapacityService } from '../../zones/zone/zone-capacity.service.js';
import type { SharedFileDto } from '../dto/shared-item.dto.js';
import { linkErrors } from '../links.errors.js';
import type { GuestClaim } from './guest-cookie.service.js';
import { guestSizeLimit } from './item-link.policy.js';
import { SharedItemService, toLocation, toViewer } from './shared-item.service.js';

/**
 * Limits for the files that guests send, from the narrowest to the widest, because one person can become many guests
 * (ADR 0064). A lecture hall behind one address stays below them.
 */
const NETWORK_RATE: RateRule = { name: 'shared-submission-network', limit: 400, window: HOUR };
const LINK_RATE: RateRule = { name: 'shared-submission-link', limit: 1000, window: HOUR };

export interface SentForm {
  readonly ipAddress: string | null;
  /** Begins to read the form. Called only for guests who may send files. */
  readonly openForm: () => Promise<UploadForm>;
}

/** Receives files from the guests of links to folders that request files. */
@Injectable()
export class GuestSubmissionService {
  constructor(
    private readonly em: EntityManager,
    private readonly shared: SharedItemService,
    private readonly requests: FileRequestRepository,
    private readonly formUpload: FormUploadService,
    private readonly zoneCapacity: ZoneCapacityService,
    private readonly access: FileAccessService,
    private readonly files: FileListService,
    private readonly itemTrash: ItemTrashService,
    private readonly limits: RateLimitService,
  ) {}

  /**
   * Stores the files of a form in the folder of the link, all of them or none. The link, the guest and the terms of the
   * request are checked before the first byte is read, and again in the transaction that inserts the files.
   * @throws SHARED_NOT_FOUND, SHARED_NOT_ENTERED, SHARED_NO_UPLOADS, SHARED_CHANGED, TOO_MANY_REQUESTS, ZONE_FULL; and
   * those of `FormUploadService.uploadFiles`
   */
  async sendFiles(
    token: string,
    claim: GuestClaim | null,
    { ipAddress, openForm }: SentForm,
  ): Promise<SharedFileDto[]> {
    const visit = await this.shared.getVisit(token, claim);
    const { link, guest } = visit;
    const folder = await this.shared.findFolder(visit);
    if (link.requestFolderId === null) throw linkErrors.SHARED_NO_UPLOADS();
    const viewer = toViewer(guest);
    const terms = await this.requests.findTerms(this.em.fork(), folder.id, { ...viewer, email: guest.email });
    if (!terms) throw linkErrors.SHARED_NO_UPLOADS();
    setPoolTenantOwner(link.ownerId);
    const location = toLocation(folder);
    const target = {
      location,
      userId: null,
      onConflict: 'rename',
      submission: { ...terms, maxFileBytes: guestSizeLimit(terms.maxFileBytes) },
      guest: {
        ...viewer,
        email: guest.email,
        assertAdmitted: (em: EntityManager) => this.assertAdmitted(em, token, claim),
      },
    } as const;
    const form = await openForm();
    try {
      const { contentLength } = form;
      const files = this.countFiles(form, link.id, ipAddress);
      const receive = () => this.formUpload.uploadFiles({ ...target, contentLength }, files);
      const ids = await translateChanges(() => this.zoneCapacity.translatePlanLimit(link.ownerId, null, receive));
      return await this.shared.toSharedFiles(visit, await this.files.findByIds(location, ids));
    } finally {
      form.close();
    }
  }

  /**
   * Moves a file that the guest sent to the trash of the zone.
   * @throws SHARED_NOT_FOUND, SHARED_NOT_ENTERED, SHARED_NOT_REMOVABLE
   */
  async withdrawFile(token: string, claim: GuestClaim | null, fileId: number): Promise<void> {
    const { link, guest } = await this.shared.getVisit(token, claim);
    const viewer = toViewer(guest);
    const file = await this.access.findSharedFile(link, viewer, fileId);
    if (!file) throw linkErrors.SHARED_NOT_FOUND();
    setPoolTenantOwner(link.ownerId);
    const isWithdrawn = link.requestFolderId !== null && (await this.itemTrash.withdrawFile(file, viewer));
    if (!isWithdrawn) throw linkErrors.SHARED_NOT_REMOVABLE();
  }

  /** Counts each file against the limits before it is read. */
  private async *countFiles(form: UploadForm, linkId: number, ipAddress: string | null): AsyncGenerator<IncomingFile> {
    for await (const file of form.files()) {
      await this.limits.consume(NETWORK_RATE, `${linkId} ${wideNetworkOf(ipAddress)}`);
      await this.limits.consume(LINK_RATE, linkId);
      yield file;
    }
  }

  /** @throws SHARED_NOT_FOUND, SHARED_NOT_ENTERED, SHARED_NO_UPLOADS */
  private async assertAdmitted(em: EntityManager, token: string, claim: GuestClaim | null): Promise<void> {
    const { link } = await this.shared.lockVisit(em, token, claim);
    if (link.requestFolderId === null) throw linkErrors.SHARED_NO_UPLOADS();
  }
}

/** Turns errors about a folder that has changed during an upload into sentences for guests. */
async function translateChanges<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof AppError ? error.code : null;
    if (code === 'ZONE_FORBIDDEN') throw linkErrors.SHARED_NO_UPLOADS();
    if (code === 'FOLDER_NOT_FOUND' || code === 'ZONE_NOT_FOUND') throw linkErrors.SHARED_CHANGED();
    throw error;
  }
}
