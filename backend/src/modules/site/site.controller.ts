import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AppConfig } from '../../platform/config/app-config.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { Public } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { SiteDto } from './dto/site.dto.js';
import { FiguresService } from './figures.service.js';

@ApiTags('site')
@Controller('api/site')
export class SiteController {
  constructor(
    private readonly config: AppConfig,
    private readonly figures: FiguresService,
  ) {}

  @Get()
  @Public()
  @Header('Cache-Control', 'public, max-age=60')
  @ApiOperation({ summary: 'What the public pages say of this installation: who runs it, and its counts' })
  @ApiOkResponse({ type: SiteDto })
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS)
  async site(): Promise<SiteDto> {
    const { appName: name, company, contactEmail } = this.config;
    return { name, company, contactEmail, figures: await this.figures.figures() };
  }
}
