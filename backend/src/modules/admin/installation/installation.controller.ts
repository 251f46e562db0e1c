import { Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Confirmed, SessionOnly, SuperAdminOnly } from '../../../platform/http/access.decorator.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { Answers } from '../../../platform/http/answers.decorator.js';
import { Change } from '../../../platform/http/change.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { CurrentActor, type Actor } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import { ChangeInstallationDto, InstallationDto } from './installation.dto.js';
import { InstallationChanges } from './installation-changes.service.js';

@ApiTags('admin')
@Controller('api/admin/installation')
export class InstallationController {
  constructor(private readonly installation: InstallationChanges) {}

  @Get()
  @SuperAdminOnly()
  @SessionOnly()
  @Answers('What can be set of the installation, and what says what holds of it', InstallationDto)
  show(): InstallationDto {
    return this.installation.show();
  }

  @Patch()
  @SuperAdminOnly()
  @Confirmed()
  @Answers('Set something of the installation; every process takes it up within seconds', InstallationDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.NOTHING_TO_CHANGE, adminErrors.SETTING_OVERRIDDEN)
  change(@Change() changes: ChangeInstallationDto, @CurrentActor() by: Actor): Promise<InstallationDto> {
    return this.installation.change(changes, by);
  }
}
