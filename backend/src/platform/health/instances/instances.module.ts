import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { Instance } from './instance.entity.js';
import { InstanceRegistryService } from './instance-registry.service.js';

@Global()
@Module({
  imports: [MikroOrmModule.forFeature([Instance])],
  providers: [InstanceRegistryService],
  exports: [InstanceRegistryService],
})
export class InstancesModule {}
