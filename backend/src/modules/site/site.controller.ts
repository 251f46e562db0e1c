import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { legalPages } from '../../platform/config/legal-pages.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { Public } from '../../platform/http/access.decorator.js';
import { ApiJson } from '../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../platform/http/errors/api-errors.decorator.js';
import { LegalPageDto, SiteDto } from './dto/site.dto.js';
import { SiteService } from './site.service.js';

@ApiTags('site')
@Controller('api/site')
export class SiteController {
  constructor(private readonly service: SiteService) {}

  @Get()
  @Public()
  @Header('Cache-Control', 'public, max-age=60')
  @ApiJson('Get the public facts about this site: its operator and its counts', SiteDto)
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS)
  site(): Promise<SiteDto> {
    return this.service.getSite();
  }

  @Get('legal/:page')
  @Public()
  @Header('Cache-Control', 'public, max-age=60')
  @ApiParam({ name: 'page', enum: legalPages })
  @ApiJson('Get a legal page of this site: terms, imprint or privacy', LegalPageDto)
  @ApiErrors(commonErrors.NOT_FOUND, commonErrors.TOO_MANY_REQUESTS)
  legal(@Param('page') page: string): LegalPageDto {
    return this.service.getLegalPage(page);
  }
}
