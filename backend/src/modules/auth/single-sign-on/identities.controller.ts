import { Controller, Delete, Get, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AppConfig } from '../../../platform/config/app-config.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import {
  AllowReader,
  Confirmed,
  CurrentViewer,
  SessionOnly,
  SignedIn,
} from '../../../platform/http/access.decorator.js';
import { Answers, AnswersNothing } from '../../../platform/http/answers.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/reading/id.pipe.js';
import type { AppRequest, Viewer } from '../../../platform/http/reading/viewer.js';
import { originOf } from '../sessions/session-cookie.service.js';
import { LinkedIdentityDto } from './dto/single-sign-on.dto.js';
import { LinkedIdentities } from './linked-identity.service.js';
import { singleSignOnErrors } from '../auth.errors.js';

@ApiTags('account')
@AllowReader()
@SignedIn()
@SessionOnly()
@Controller('api/user/identities')
export class IdentitiesController {
  constructor(
    private readonly identities: LinkedIdentities,
    private readonly config: AppConfig,
  ) {}

  @Get()
  @Answers('List the identities connected to your account for sign-in', [LinkedIdentityDto])
  @ApiErrors(commonErrors.NOT_SIGNED_IN)
  async list(@CurrentViewer() { userId }: Viewer): Promise<LinkedIdentityDto[]> {
    const settings = this.config.singleSignOn;
    const rows = await this.identities.list(userId);
    return rows.map(({ issuer, ...row }) => ({
      ...row,
      provider: settings?.issuer === issuer ? settings.name : issuer,
    }));
  }

  @Delete(':id')
  @Confirmed()
  @AnswersNothing('Disconnect an identity from your account')
  @ApiErrors(singleSignOnErrors.IDENTITY_NOT_FOUND, singleSignOnErrors.LAST_WAY_IN)
  async unlink(@IdParam() id: number, @CurrentViewer() viewer: Viewer, @Req() request: AppRequest): Promise<void> {
    await this.identities.unlink(viewer, id, originOf(request).ipAddress);
  }
}
