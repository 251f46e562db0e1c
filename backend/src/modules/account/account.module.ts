import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ZonesModule } from '../zones/zones.module.js';
import { AccountController } from './account.controller.js';
import { CurrentUserService } from './current-user.service.js';
import { Erasure } from './erasure.entity.js';

@Module({
  imports: [MikroOrmModule.forFeature([Erasure]), AuthModule, ZonesModule],
  controllers: [AccountController],
  providers: [CurrentUserService],
})
export class AccountModule {}
