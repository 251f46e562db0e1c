import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module, RequestMethod, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { ZonesModule } from '../zones/zones.module.js';
import { ChosenItems } from './chosen-items.service.js';
import { ContentController } from './content.controller.js';
import { ContentService } from './content.service.js';
import { DeleteObjectsHandler } from './delete-objects.handler.js';
import { DownloadsController } from './downloads.controller.js';
import { FileThumbnail } from './entities/file-thumbnail.entity.js';
import { File } from './entities/file.entity.js';
import { FolderMirror } from './entities/folder-mirror.entity.js';
import { Folder } from './entities/folder.entity.js';
import { TrashEntry } from './entities/trash-entry.entity.js';
import { ResumableUpload } from './entities/resumable-upload.entity.js';
import { UploadLock } from './entities/upload-lock.entity.js';
import { UploadPart } from './entities/upload-part.entity.js';
import { Upload } from './entities/upload.entity.js';
import { ExpireTrashHandler } from './expire-trash.handler.js';
import { FileAccessGuard } from './file-access.guard.js';
import { FileAccessService } from './file-access.service.js';
import { FileAddresses } from './file-addresses.service.js';
import { FileListService } from './file-list.service.js';
import { FilePurgeService } from './file-purge.service.js';
import { FileService } from './file.service.js';
import { FilesController } from './files.controller.js';
import { FilesPersonalData } from './files-personal-data.js';
import { FilingService } from './filing.service.js';
import { FolderListService } from './folder-list.service.js';
import { FolderMounts } from './folder-mounts.service.js';
import { FolderPlaces } from './folder-places.service.js';
import { FolderService } from './folder.service.js';
import { FoldersController } from './folders.controller.js';
import { readItemsForm } from './items-form.js';
import { MakeThumbnailsHandler } from './make-thumbnails.handler.js';
import { MoveService } from './move.service.js';
import { MovesController } from './moves.controller.js';
import { PurgeTrashHandler } from './purge-trash.handler.js';
import { RestoreService } from './restore.service.js';
import { CompleteUpload } from './resumable/complete-upload.service.js';
import { ResumableUploads } from './resumable/resumable-uploads.service.js';
import { TusProtocol } from './resumable/tus-protocol.service.js';
import { UploadListService } from './resumable/upload-list.service.js';
import { UploadLocks } from './resumable/upload-locks.service.js';
import { UploadParts } from './resumable/upload-parts.service.js';
import { UploadsController } from './resumable/uploads.controller.js';
import { SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';
import { SweepObjectsHandler } from './sweep-objects.handler.js';
import { SweepUploadsHandler } from './sweep-uploads.handler.js';
import { ThumbnailService } from './thumbnail.service.js';
import { ThumbnailsController } from './thumbnails.controller.js';
import { TrashListService } from './trash-list.service.js';
import { TrashPurgeService } from './trash-purge.service.js';
import { TrashController } from './trash.controller.js';
import { TrashService } from './trash.service.js';
import { UploadIntents } from './upload-intents.service.js';
import { UploadService } from './upload.service.js';
import { ZipPlanService } from './zip-plan.service.js';
import { ZipStreamService } from './zip-stream.service.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([
      Folder,
      File,
      FileThumbnail,
      Upload,
      UploadPart,
      UploadLock,
      ResumableUpload,
      FolderMirror,
      TrashEntry,
    ]),
    AuthModule,
    ActivityModule,
    PlansModule,
    ZonesModule,
  ],
  controllers: [
    FilesController,
    ContentController,
    DownloadsController,
    FoldersController,
    MovesController,
    SearchController,
    ThumbnailsController,
    TrashController,
    UploadsController,
  ],
  providers: [
    ChosenItems,
    CompleteUpload,
    ContentService,
    DeleteObjectsHandler,
    ExpireTrashHandler,
    FileAccessGuard,
    FileAccessService,
    FileAddresses,
    FileListService,
    FilePurgeService,
    FileService,
    FilesPersonalData,
    FilingService,
    FolderListService,
    FolderMounts,
    FolderPlaces,
    FolderService,
    MakeThumbnailsHandler,
    MoveService,
    PurgeTrashHandler,
    RestoreService,
    ResumableUploads,
    SearchService,
    SweepObjectsHandler,
    SweepUploadsHandler,
    ThumbnailService,
    TrashListService,
    TrashPurgeService,
    TrashService,
    TusProtocol,
    UploadIntents,
    UploadListService,
    UploadLocks,
    UploadParts,
    UploadService,
    ZipPlanService,
    ZipStreamService,
  ],
  exports: [FileAccessService, FolderMounts, FolderPlaces],
})
export class FilesModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(readItemsForm()).forRoutes({ path: 'api/zones/:id/download', method: RequestMethod.POST });
  }
}
