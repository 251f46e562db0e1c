import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { InstallationRepository } from './installation.repository.js';
import { InstallationSettingRepository } from './installation-setting.repository.js';
import { InstallationSetting } from './installation-setting.entity.js';
import { InstallationSettingsService, SettingsTimings } from './installation-settings.service.js';
import { Installation } from './installation.entity.js';
import { SecretCheck } from './secret-check.js';
import { SetupProgressService } from './setup-progress.service.js';

@Global()
@Module({
  imports: [MikroOrmModule.forFeature([Installation, InstallationSetting])],
  providers: [
    InstallationRepository,
    InstallationSettingRepository,
    InstallationSettingsService,
    SecretCheck,
    SettingsTimings,
    SetupProgressService,
  ],
  exports: [InstallationRepository, InstallationSettingRepository, InstallationSettingsService, SetupProgressService],
})
export class InstallationModule {}
