import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { InstallationRecord } from './installation-record.service.js';
import { Installation } from './installation.entity.js';
import { SecretCheck } from './secret-check.js';

@Global()
@Module({
  imports: [MikroOrmModule.forFeature([Installation])],
  providers: [InstallationRecord, SecretCheck],
  exports: [InstallationRecord],
})
export class InstallationModule {}
