import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { InstallationRecord } from './installation-record.service.js';
import { InstallationSetting } from './installation-setting.entity.js';
import { InstallationSettings, SettingsTimings } from './installation-settings.service.js';
import { Installation } from './installation.entity.js';
import { SecretCheck } from './secret-check.js';

@Global()
@Module({
  imports: [MikroOrmModule.forFeature([Installation, InstallationSetting])],
  providers: [InstallationRecord, InstallationSettings, SecretCheck, SettingsTimings],
  exports: [InstallationRecord, InstallationSettings],
})
export class InstallationModule {}
