import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../../platform/http/access.decorator.js';
import { IntegrationAttentionDto } from './integration-attention.dto.js';
import { IntegrationAttentionService } from './integration-attention.service.js';

@ApiTags('admin')
@Controller('api/admin/integrations')
export class IntegrationAttentionController {
  constructor(private readonly attention: IntegrationAttentionService) {}

  @Get('attention')
  @AdminOnly()
  @ApiOperation({
    summary: 'Get integration issues: failed or waiting orders, and senders that stopped sending',
  })
  @ApiOkResponse({ type: IntegrationAttentionDto })
  all(): Promise<IntegrationAttentionDto> {
    return this.attention.getIssues();
  }
}
