import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Language } from '../../../platform/errors/app-error.js';
import { CurrentViewer, SignedIn } from '../../../platform/http/access.decorator.js';
import { ApiJson } from '../../../platform/http/api-response.decorator.js';
import { RequestLanguage } from '../../../platform/http/parsing/request-language.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { HomeDto } from './home.dto.js';
import { HomeService } from './home.service.js';

@ApiTags('account')
@Controller('api/home')
export class HomeController {
  constructor(private readonly home: HomeService) {}

  @Get()
  @SignedIn()
  @ApiJson(
    'Get your member home: zones shared with you with new files, documents to continue, and open invitations',
    HomeDto,
  )
  of(@CurrentViewer() { userId }: Viewer, @RequestLanguage() language: Language): Promise<HomeDto> {
    return this.home.getHome(userId, language);
  }
}
