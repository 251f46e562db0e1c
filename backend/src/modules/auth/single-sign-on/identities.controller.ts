import { Controller, Delete, Get, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AppConfig } from '../../../platform/config/app-config.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import {
  AllowIncompleteProfile,
  RequireReauthentication,
  CurrentViewer,
  SessionOnly,
  SignedIn,
} from '../../../platform/http/access.decorator.js';
import { ApiJson, ApiNoContent } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import type { AppRequest, Viewer } from '../../../platform/http/parsing/viewer.js';
import { getSessionOrigin } from '../sessions/session-cookie.service.js';
import { LinkedIdentityDto } from './dto/single-sign-on.dto.js';
import { LinkedIdentityService } from './linked-identity.service.js';
import { SingleSignOnRepository } from './single-sign-on.repository.js';
import { singleSignOnErrors } from '../auth.errors.js';

@ApiTags('account')
@AllowIncompleteProfile()
@SignedIn()
@SessionOnly()
@Controller('api/user/identities')
export class IdentitiesController {
  constructor(
    private readonly identities: SingleSignOnRepository,
    private readonly linkedIdentities: LinkedIdentityService,
    private readonly config: AppConfig,
  ) {}

  @Get()
  @ApiJson('List the identities connected to your account for sign-in', [LinkedIdentityDto])
  @ApiErrors(commonErrors.NOT_SIGNED_IN)
  async list(@CurrentViewer() { userId }: Viewer): Promise<LinkedIdentityDto[]> {
    const settings = this.config.singleSignOn;
    const rows = await this.identities.findIdentities(userId);
    return rows.map(({ issuer, ...row }) => ({
      ...row,
      provider: settings?.issuer === issuer ? settings.name : issuer,
    }));
  }

  @Delete(':id')
  @RequireReauthentication()
  @ApiNoContent('Disconnect an identity from your account')
  @ApiErrors(singleSignOnErrors.IDENTITY_NOT_FOUND, singleSignOnErrors.LAST_WAY_IN)
  async unlink(@IdParam() id: number, @CurrentViewer() viewer: Viewer, @Req() request: AppRequest): Promise<void> {
    await this.linkedIdentities.unlinkIdentity(viewer, id, getSessionOrigin(request).ipAddress);
  }
}
