import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../../platform/http/access.decorator.js';
import { IntegrationAttentionDto } from './integration-attention.dto.js';
import { IntegrationAttention } from './integration-attention.service.js';

@ApiTags('admin')
@Controller('api/admin/integrations')
export class IntegrationAttentionController {
  constructor(private readonly attention: IntegrationAttention) {}

  @Get('attention')
  @AdminOnly()
  @ApiOperation({
    summary: 'What to look at in the integrations: orders that have failed or wait, senders that are silent',
  })
  @ApiOkResponse({ type: IntegrationAttentionDto })
  all(): Promise<IntegrationAttentionDto> {
    return this.attention.all();
  }
}
