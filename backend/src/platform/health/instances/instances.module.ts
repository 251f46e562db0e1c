import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { Instance } from './instance.entity.js';
import { InstanceRepository } from './instance.repository.js';
import { InstanceRegistryService } from './instance-registry.service.js';

@Global()
@Module({
  imports: [MikroOrmModule.forFeature([Instance])],
  providers: [InstanceRegistryService, InstanceRepository],
  exports: [InstanceRegistryService, InstanceRepository],
})
export class InstancesModule {}
