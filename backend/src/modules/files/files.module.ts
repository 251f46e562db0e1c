import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { ZonesModule } from '../zones/zones.module.js';
import { ContentController } from './content.controller.js';
import { ContentService } from './content.service.js';
import { DeleteObjectsHandler } from './delete-objects.handler.js';
import { File } from './entities/file.entity.js';
import { FolderMirror } from './entities/folder-mirror.entity.js';
import { Folder } from './entities/folder.entity.js';
import { TrashEntry } from './entities/trash-entry.entity.js';
import { Upload } from './entities/upload.entity.js';
import { FileAccessGuard } from './file-access.guard.js';
import { FileAccessService } from './file-access.service.js';
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
import { SweepObjectsHandler } from './sweep-objects.handler.js';
import { SweepUploadsHandler } from './sweep-uploads.handler.js';
import { UploadIntents } from './upload-intents.service.js';
import { UploadService } from './upload.service.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([Folder, File, Upload, FolderMirror, TrashEntry]),
    AuthModule,
    ActivityModule,
    PlansModule,
    ZonesModule,
  ],
  controllers: [FilesController, ContentController, FoldersController],
  providers: [
    ContentService,
    DeleteObjectsHandler,
    FilePurgeService,
    FileAccessGuard,
    FileAccessService,
    FileListService,
    FileService,
    FilesPersonalData,
    FilingService,
    FolderListService,
    FolderMounts,
    FolderPlaces,
    FolderService,
    SweepObjectsHandler,
    SweepUploadsHandler,
    UploadIntents,
    UploadService,
  ],
  exports: [FileAccessService, FolderMounts, FolderPlaces],
})
export class FilesModule {}
