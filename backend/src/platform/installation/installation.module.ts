import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { InstallationRecord } from './installation-record.service.js';
import { InstallationSetting } from './installation-setting.entity.js';
import { InstallationSettings, SettingsTimings } from './installation-settings.service.js';
import { Installation } from './installation.entity.js';
import { SecretCheck } from './secret-check.js';
import { SetupProgress } from './setup-progress.service.js';

@Global()
@Module({
  imports: [MikroOrmModule.forFeature([Installation, InstallationSetting])],
  providers: [InstallationRecord, InstallationSettings, SecretCheck, SettingsTimings, SetupProgress],
  exports: [InstallationRecord, InstallationSettings, SetupProgress],
})
export class InstallationModule {}
