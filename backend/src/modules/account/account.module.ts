import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ZonesModule } from '../zones/zones.module.js';
import { AccountController } from './account.controller.js';
import { ApiTokensController } from './api-tokens.controller.js';
import { CurrentSessionController } from './current-session.controller.js';
import { CurrentUserService } from './current-user.service.js';
import { DeletionService } from './deletion.service.js';
import { ErasePersonHandler } from './erase-person.handler.js';
import { Erasure } from './erasure.entity.js';
import { ExportService } from './export.service.js';
import { PictureService } from './picture.service.js';
import { PicturesController } from './pictures.controller.js';
import { ProfileController } from './profile.controller.js';
import { ProfileService } from './profile.service.js';
import { RemoveUnusedPictureHandler } from './remove-unused-picture.handler.js';
import { ResumeErasuresHandler } from './resume-erasures.handler.js';
import { SessionEndingService } from './session-ending.service.js';
import { SessionsController } from './sessions.controller.js';
import { TellAccountDeletedHandler } from './tell-account-deleted.handler.js';

@Module({
  imports: [MikroOrmModule.forFeature([Erasure]), AuthModule, ZonesModule],
  controllers: [
    AccountController,
    CurrentSessionController,
    ProfileController,
    PicturesController,
    SessionsController,
    ApiTokensController,
  ],
  providers: [
    CurrentUserService,
    DeletionService,
    ErasePersonHandler,
    ExportService,
    PictureService,
    ProfileService,
    RemoveUnusedPictureHandler,
    ResumeErasuresHandler,
    SessionEndingService,
    TellAccountDeletedHandler,
  ],
})
export class AccountModule {}
