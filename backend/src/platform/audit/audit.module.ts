import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { AuditEntry } from './audit-entry.entity.js';
import { AuditRepository } from './audit.repository.js';

@Global()
@Module({
  imports: [MikroOrmModule.forFeature([AuditEntry])],
  providers: [AuditRepository],
  exports: [AuditRepository],
})
export class AuditModule {}
