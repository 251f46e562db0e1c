import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module, RequestMethod, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { ZonesModule } from '../zones/zones.module.js';
import { ChosenItems } from './tree/chosen-items.service.js';
import { ContentController } from './reading/content.controller.js';
import { ContentReader } from './reading/content-reader.service.js';
import { MediaController } from './reading/media.controller.js';
import { DownloadsController } from './reading/downloads.controller.js';
import { FileThumbnail, File } from './entities/file.entity.js';
import { FileBrokenPage, FileDocument, FilePage, FilePageText, FilePdf } from './entities/document.entity.js';
import { FolderMirror } from './entities/folder-mirror.entity.js';
import { Folder } from './entities/folder.entity.js';
import { TrashEntry } from './entities/trash-entry.entity.js';
import { ResumableUpload, UploadLock, UploadPart, Upload } from './entities/upload.entity.js';
import { FileAccessGuard } from './access/file-access.guard.js';
import { FileAccessService } from './access/file-access.service.js';
import { FileAddresses } from './reading/file-addresses.service.js';
import { FileLister } from './reading/file-lister.service.js';
import { PersonTurns } from './pages/person-turns.service.js';
import { FileDocuments } from './pages/file-documents.service.js';
import { FilePages } from './pages/file-pages.service.js';
import { OfficeDocuments } from './pages/office-documents.service.js';
import { DocumentPasswords } from './pages/locked/document-passwords.service.js';
import { LockedDocuments } from './pages/locked/locked-documents.service.js';
import { UnlockingController } from './pages/locked/unlocking.controller.js';
import { PageDrawer } from './pages/page-drawer.service.js';
import { PageReader } from './pages/page-reader.service.js';
import { PagesController } from './pages/pages.controller.js';
import { FileTexts } from './pages/file-texts.service.js';
import { PageTexts } from './pages/page-texts.service.js';
import { ReadableDocuments } from './pages/readable-documents.service.js';
import { TextMaker } from './pages/text-maker.service.js';
import { TextSearch } from './pages/text-search.service.js';
import { AttachmentReader } from './pages/attachments/attachment-reader.service.js';
import { AttachmentsController } from './pages/attachments/attachments.controller.js';
import { TextsController } from './pages/texts.controller.js';
import { FilePurger } from './objects/file-purger.service.js';
import { FilesController } from './tree/files.controller.js';
import { FolderLister } from './reading/folder-lister.service.js';
import { FolderMounts } from './tree/folder-mounts.service.js';
import { ItemEditor } from './tree/item-editor.service.js';
import { FoldersController } from './tree/folders.controller.js';
import { readItemsForm } from './tree/items-form.js';
import { FileMover } from './tree/file-mover.service.js';
import { MovesController } from './tree/moves.controller.js';
import { FileObjects } from './objects/quarantine/file-objects.js';
import { ObjectComparison } from './objects/quarantine/object-comparison.service.js';
import { QuarantineEmptying } from './objects/quarantine/quarantine-emptying.js';
import { Quarantine, QuarantinedObject } from './objects/quarantine/quarantine.service.js';
import { TrashRestorer } from './trash/trash-restorer.service.js';
import { ResumableUploads } from './upload/resumable/resumable-uploads.service.js';
import { TusProtocol } from './upload/resumable/tus-protocol.service.js';
import { PartReceiver } from './upload/resumable/part-receiver.service.js';
import { UploadsController } from './upload/resumable/uploads.controller.js';
import { SearchController } from './search/search.controller.js';
import { FileSearcher } from './search/file-searcher.service.js';
import { TextSearcher } from './search/text-searcher.service.js';
import { ObjectSweep } from './objects/object-sweep.js';
import { ThumbnailMaker } from './thumbnails/thumbnail-maker.service.js';
import { ThumbnailsController } from './thumbnails/thumbnails.controller.js';
import { TrashPurger } from './trash/trash-purger.service.js';
import { TrashController } from './trash/trash.controller.js';
import { ItemDeleter } from './trash/item-deleter.service.js';
import { UploadReservations } from './upload/upload-reservations.service.js';
import { FileReceiver } from './upload/file-receiver.service.js';
import { FileWatch } from './watching/file-watch.service.js';
import { WatchController } from './watching/watch.controller.js';
import { ZipPlanner } from './zip/zip-planner.service.js';
import { ZipStreamer } from './zip/zip-streamer.service.js';
import { SweepMailer } from './objects/quarantine/sweep-mailer.js';
import { UploadCleanup } from './upload/upload-cleanup.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([
      Folder,
      File,
      FileThumbnail,
      FileDocument,
      FilePage,
      FilePdf,
      FileBrokenPage,
      FilePageText,
      Upload,
      UploadPart,
      UploadLock,
      ResumableUpload,
      FolderMirror,
      TrashEntry,
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
    MovesController,
    // Before the other: `search` would be the number of a page there.
    AttachmentsController,
    TextsController,
    PagesController,
    UnlockingController,
    SearchController,
    ThumbnailsController,
    TrashController,
    UploadsController,
    WatchController,
  ],
  providers: [
    AttachmentReader,
    ChosenItems,
    ContentReader,
    DocumentPasswords,
    PersonTurns,
    FileAccessGuard,
    FileAccessService,
    FileAddresses,
    FileDocuments,
    FileLister,
    FilePages,
    FilePurger,
    FileObjects,
    FileTexts,
    FileWatch,
    FolderLister,
    FolderMounts,
    ItemEditor,
    LockedDocuments,
    FileMover,
    ObjectComparison,
    OfficeDocuments,
    PageDrawer,
    PageReader,
    PageTexts,
    Quarantine,
    QuarantineEmptying,
    TrashRestorer,
    ReadableDocuments,
    ResumableUploads,
    FileSearcher,
    TextSearcher,
    ObjectSweep,
    UploadCleanup,
    SweepMailer,
    TextMaker,
    TextSearch,
    ThumbnailMaker,
    TrashPurger,
    ItemDeleter,
    TusProtocol,
    UploadReservations,
    PartReceiver,
    FileReceiver,
    ZipPlanner,
    ZipStreamer,
  ],
  exports: [FileAccessService, FileLister, FolderMounts, Quarantine, UploadReservations],
})
export class FilesModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(readItemsForm()).forRoutes({ path: 'api/zones/:id/download', method: RequestMethod.POST });
  }
}
