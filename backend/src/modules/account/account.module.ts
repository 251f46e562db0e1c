import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { CampaignsModule } from '../campaigns/campaigns.module.js';
import { FilesModule } from '../files/files.module.js';
import { IntegrationsModule } from '../integrations/integrations.module.js';
import { SuggestionsModule } from '../suggestions/suggestions.module.js';
import { ZonesModule } from '../zones/zones.module.js';
import { AccountController } from './account.controller.js';
import { AccountActivityController } from './activity/account-activity.controller.js';
import { AccountActivityRepository } from './activity/account-activity.repository.js';
import { ApiTokensController } from './api-tokens.controller.js';
import { CurrentSessionController, SessionsController } from './sessions/sessions.controller.js';
import { CurrentUserService } from './current-user.service.js';
import { AccountDeletionService } from './deletion/account-deletion.service.js';
import { Erasure } from './deletion/erasure.entity.js';
import { ErasureRepository } from './deletion/erasure.repository.js';
import { PersonalDataExportService } from './personal-data/personal-data-export.service.js';
import { HomeController } from './home/home.controller.js';
import { HomeRepository } from './home/home.repository.js';
import { HomeService } from './home/home.service.js';
import { PersonalDataErasureService } from './personal-data/personal-data-erasure.service.js';
import { PersonalDataRepository } from './personal-data/personal-data.repository.js';
import { PictureRepository } from './pictures/picture.repository.js';
import { PictureService } from './pictures/picture.service.js';
import { PicturesController } from './pictures/pictures.controller.js';
import { ProfileController } from './profile.controller.js';
import { ProfileService } from './profile.service.js';
import { SessionTerminationService } from './sessions/session-termination.service.js';
import { AccountErasureService } from './deletion/account-erasure.service.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([Erasure]),
    AuthModule,
    ZonesModule,
    FilesModule,
    CampaignsModule,
    BillingModule,
    IntegrationsModule,
    SuggestionsModule,
  ],
  controllers: [
    AccountController,
    CurrentSessionController,
    ProfileController,
    PicturesController,
    SessionsController,
    ApiTokensController,
    AccountActivityController,
    HomeController,
  ],
  providers: [
    AccountActivityRepository,
    ErasureRepository,
    HomeRepository,
    PersonalDataRepository,
    PictureRepository,
    CurrentUserService,
    AccountDeletionService,
    AccountErasureService,
    PersonalDataExportService,
    HomeService,
    PersonalDataErasureService,
    PictureService,
    ProfileService,
    SessionTerminationService,
  ],
  exports: [AccountDeletionService],
})
export class AccountModule {}
