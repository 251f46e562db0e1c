import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module, RequestMethod, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { ZonesModule } from '../zones/zones.module.js';
import { ItemSelectionService } from './tree/item-selection.service.js';
import { ContentController } from './reading/content.controller.js';
import { ContentResponseService } from './reading/content-response.service.js';
import { ContentDeliveryService } from './reading/content-delivery.service.js';
import { MediaController } from './reading/media.controller.js';
import { DownloadsController } from './reading/downloads.controller.js';
import { FileThumbnail, File } from './entities/file.entity.js';
import { FileVersion } from './entities/file-version.entity.js';
import { FileBrokenPage, FileDocument, FilePage, FilePageText, FilePdf } from './entities/document.entity.js';
import { FolderMirror } from './entities/folder-mirror.entity.js';
import { ReadingPosition } from './entities/reading-position.entity.js';
import { Folder } from './entities/folder.entity.js';
import { FileRequest, FileSubmission } from './entities/file-request.entity.js';
import { Transfer } from './entities/transfer.entity.js';
import { TrashEntry } from './entities/trash-entry.entity.js';
import {
  ResumableUpload,
  Upload,
  UploadLock,
  UploadMultipart,
  UploadMultipartPart,
  UploadPart,
} from './entities/upload.entity.js';
import { FileAccessGuard } from './access/file-access.guard.js';
import { FileAccessService } from './access/file-access.service.js';
import { SignedUrlService } from './reading/signed-url.service.js';
import { FileListService } from './reading/file-list.service.js';
import { PerUserQueueService } from './pages/per-user-queue.service.js';
import { DocumentService } from './pages/document.service.js';
import { PageStoreService } from './pages/page-store.service.js';
import { OfficeConversionService } from './pages/office-conversion.service.js';
import { DocumentPasswordCookieService } from './pages/locked/document-password-cookie.service.js';
import { LockedDocumentService } from './pages/locked/locked-document.service.js';
import { UnlockingController } from './pages/locked/unlocking.controller.js';
import { PageRenderingService } from './pages/page-rendering.service.js';
import { PageResponseService } from './pages/page-response.service.js';
import { DocumentPageService } from './pages/document-page.service.js';
import { PagesController } from './pages/pages.controller.js';
import { PageTextStoreService } from './pages/page-text-store.service.js';
import { PageTextService } from './pages/page-text.service.js';
import { ReadableDocumentService } from './pages/readable-document.service.js';
import { TextExtractionService } from './pages/text-extraction.service.js';
import { DocumentSearchService } from './pages/document-search.service.js';
import { AttachmentService } from './pages/attachments/attachment.service.js';
import { AttachmentsController } from './pages/attachments/attachments.controller.js';
import { TextsController } from './pages/texts.controller.js';
import { FilePurgeService } from './objects/file-purge.service.js';
import { FilesController } from './tree/files.controller.js';
import { FolderListService } from './reading/folder-list.service.js';
import { ContentChangeRepository } from './shared/content-change.repository.js';
import { FolderMountService } from './tree/folder-mount.service.js';
import { FolderTreeService } from './tree/folder-tree.service.js';
import { ItemUpdateService } from './tree/item-update.service.js';
import { FoldersController } from './tree/folders.controller.js';
import { parseItemsForm } from './tree/items-form.middleware.js';
import { ItemMoveService } from './tree/item-move.service.js';
import { MovesController } from './tree/moves.controller.js';
import { FileObjectReferences } from './objects/quarantine/file-object-references.js';
import { ComparisonLimits, ObjectComparisonService } from './objects/quarantine/object-comparison.service.js';
import { QuarantineCleanupService } from './objects/quarantine/quarantine-cleanup.service.js';
import { QuarantineService } from './objects/quarantine/quarantine.service.js';
import { QuarantinedObject } from './entities/quarantined-object.entity.js';
import { ItemCopyService } from './transfer/item-copy.service.js';
import { ItemTransferService } from './transfer/item-transfer.service.js';
import { TransferRepository } from './transfer/transfer.repository.js';
import { TransferTargetService } from './transfer/transfer-target.service.js';
import { TransferUndoService } from './transfer/transfer-undo.service.js';
import { TransfersController } from './transfer/transfers.controller.js';
import { TrashRestoreService } from './trash/trash-restore.service.js';
import { DirectUploadService } from './upload/resumable/direct-upload.service.js';
import { ResumableUploadService } from './upload/resumable/resumable-upload.service.js';
import { TusProtocolService } from './upload/resumable/tus-protocol.service.js';
import { UploadLockService } from './upload/resumable/upload-lock.service.js';
import { UploadPatchService } from './upload/resumable/upload-patch.service.js';
import { UploadBytesService } from './upload/resumable/upload-bytes.service.js';
import { UploadsController } from './upload/resumable/uploads.controller.js';
import { FileRequestRepository } from './requests/file-request.repository.js';
import { FileRequestService } from './requests/file-request.service.js';
import { FileRequestsController } from './requests/file-requests.controller.js';
import { SearchController } from './search/search.controller.js';
import { FileSearchService } from './search/file-search.service.js';
import { FullTextSearchService } from './search/full-text-search.service.js';
import { OrphanSweepService } from './objects/orphan-sweep.service.js';
import { ThumbnailService } from './thumbnails/thumbnail.service.js';
import { ThumbnailsController } from './thumbnails/thumbnails.controller.js';
import { TrashPurgeService } from './trash/trash-purge.service.js';
import { TrashController } from './trash/trash.controller.js';
import { ItemTrashService } from './trash/item-trash.service.js';
import { UploadDestinationService } from './upload/upload-destination.service.js';
import { UploadReservationService } from './upload/upload-reservation.service.js';
import { FileUploadService } from './upload/file-upload.service.js';
import { FileSizeLimitService } from './upload/file-size-limit.service.js';
import { FormUploadService } from './upload/form-upload.service.js';
import { AccessWatchService } from './watching/access-watch.service.js';
import { WatchController } from './watching/watch.controller.js';
import { FileReplacementService } from './upload/file-replacement.service.js';
import { FileVersionRepository } from './versions/file-version.repository.js';
import { FileVersionService } from './versions/file-version.service.js';
import { VersionRemovalService } from './versions/version-removal.service.js';
import { VersionsController } from './versions/versions.controller.js';
import { ZipPlanService } from './zip/zip-plan.service.js';
import { ZipStreamService } from './zip/zip-stream.service.js';
import { SweepMailer } from './objects/quarantine/sweep-mailer.js';
import { UploadCleanupService } from './upload/upload-cleanup.service.js';
import { FileAccessRepository } from './access/file-access.repository.js';
import { ItemTreeRepository } from './shared/item-tree.repository.js';
import { TrashRepository } from './trash/trash.repository.js';
import { FilePurgeRepository } from './objects/file-purge.repository.js';
import { UploadRepository } from './upload/upload.repository.js';
import { FileRepository } from './upload/file.repository.js';
import { UploadMultipartRepository } from './upload/resumable/upload-multipart.repository.js';
import { UploadLockRepository } from './upload/resumable/upload-lock.repository.js';
import { ResumableUploadRepository } from './upload/resumable/resumable-upload.repository.js';
import { DocumentRepository } from './pages/document.repository.js';
import { PageRepository } from './pages/page.repository.js';
import { PageTextRepository } from './pages/page-text.repository.js';
import { ThumbnailRepository } from './thumbnails/thumbnail.repository.js';
import { QuarantineRepository } from './objects/quarantine/quarantine.repository.js';
import { ObjectReferenceRepository } from './objects/quarantine/object-reference.repository.js';
import { FileListRepository } from './reading/file-list.repository.js';
import { FolderListRepository } from './reading/folder-list.repository.js';
import { FileSearchRepository } from './search/file-search.repository.js';
import { ZipPlanRepository } from './zip/zip-plan.repository.js';
import { ItemPlacementService } from './shared/item-placement.service.js';
import { PositionsController } from './positions/positions.controller.js';
import { ReadingPositionRepository } from './positions/reading-position.repository.js';
import { ReadingPositionService } from './positions/reading-position.service.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([
      Folder,
      File,
      FileThumbnail,
      FileVersion,
      FileDocument,
      FilePage,
      FilePdf,
      FileBrokenPage,
      FilePageText,
      ReadingPosition,
      Upload,
      UploadPart,
      UploadMultipart,
      UploadMultipartPart,
      UploadLock,
      ResumableUpload,
      FolderMirror,
      FileRequest,
      FileSubmission,
      TrashEntry,
      Transfer,
      QuarantinedObject,
    ]),
    AuthModule,
    ActivityModule,
    PlansModule,
    ZonesModule,
  ],
  controllers: [
    FilesController,
    ContentController,
    MediaController,
    DownloadsController,
    FoldersController,
    FileRequestsController,
    MovesController,
    // The order matters: `pages/:page/text` would match `pages/attachments/:attachment`, and `pages/:page` would match
    // `pages/search`.
    AttachmentsController,
    TextsController,
    PagesController,
    PositionsController,
    UnlockingController,
    SearchController,
    ThumbnailsController,
    TransfersController,
    TrashController,
    UploadsController,
    VersionsController,
    WatchController,
  ],
  providers: [
    FileAccessRepository,
    ItemTreeRepository,
    TrashRepository,
    FilePurgeRepository,
    UploadRepository,
    FileRepository,
    UploadMultipartRepository,
    UploadLockRepository,
    ResumableUploadRepository,
    DocumentRepository,
    PageRepository,
    PageTextRepository,
    ThumbnailRepository,
    QuarantineRepository,
    ObjectReferenceRepository,
    FileListRepository,
    FolderListRepository,
    FileSearchRepository,
    ZipPlanRepository,
    FileRequestRepository,
    FileVersionRepository,
    TransferRepository,
    ReadingPositionRepository,
    ItemPlacementService,
    AttachmentService,
    ItemSelectionService,
    ContentDeliveryService,
    ContentResponseService,
    DocumentPasswordCookieService,
    PerUserQueueService,
    FileAccessGuard,
    FileAccessService,
    SignedUrlService,
    DocumentService,
    FileListService,
    PageStoreService,
    FilePurgeService,
    FileObjectReferences,
    PageTextStoreService,
    AccessWatchService,
    FolderListService,
    FolderMountService,
    FolderTreeService,
    ContentChangeRepository,
    ItemUpdateService,
    LockedDocumentService,
    ItemMoveService,
    ComparisonLimits,
    ObjectComparisonService,
    OfficeConversionService,
    PageRenderingService,
    DocumentPageService,
    PageResponseService,
    PageTextService,
    QuarantineService,
    QuarantineCleanupService,
    TrashRestoreService,
    ReadableDocumentService,
    ReadingPositionService,
    DirectUploadService,
    ResumableUploadService,
    FileSearchService,
    FullTextSearchService,
    OrphanSweepService,
    UploadCleanupService,
    SweepMailer,
    TextExtractionService,
    DocumentSearchService,
    ThumbnailService,
    TrashPurgeService,
    ItemTrashService,
    TransferTargetService,
    ItemTransferService,
    ItemCopyService,
    TransferUndoService,
    TusProtocolService,
    UploadLockService,
    UploadPatchService,
    UploadReservationService,
    UploadBytesService,
    FileSizeLimitService,
    FileRequestService,
    UploadDestinationService,
    FileUploadService,
    FormUploadService,
    FileReplacementService,
    FileVersionService,
    VersionRemovalService,
    ZipPlanService,
    ZipStreamService,
  ],
  exports: [
    ContentDeliveryService,
    ContentResponseService,
    DocumentPageService,
    FileAccessService,
    FileListService,
    FileRequestRepository,
    FileSizeLimitService,
    FolderListService,
    FolderMountService,
    FormUploadService,
    ItemTrashService,
    LockedDocumentService,
    PageResponseService,
    PageTextService,
    QuarantineService,
    ReadingPositionService,
    ReadableDocumentService,
    UploadReservationService,
    ZipPlanService,
    ZipStreamService,
  ],
})
export class FilesModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(parseItemsForm()).forRoutes({ path: 'api/zones/:id/download', method: RequestMethod.POST });
  }
}
