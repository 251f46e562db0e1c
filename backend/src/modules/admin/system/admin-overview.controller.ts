import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../../platform/http/access.decorator.js';
import { SystemStateDto } from '../dto/system.dto.js';
import { SystemStateService } from './system-state.service.js';

@ApiTags('admin')
@Controller('api/admin')
export class AdminOverviewController {
  constructor(private readonly systems: SystemStateService) {}

  @Get('system')
  @AdminOnly()
  @ApiOperation({ summary: 'How the installation is doing: versions, sizes, queues' })
  @ApiOkResponse({ type: SystemStateDto })
  system(): Promise<SystemStateDto> {
    return this.systems.state();
  }
}
