import { Body, Controller, Delete, HttpCode, Patch, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import {
  AllowIncompleteProfile,
  SkipMfaRequirement,
  RequireReauthentication,
  CurrentViewer,
  SessionOnly,
  SignedIn,
} from '../../../platform/http/access.decorator.js';
import { ApiJson, ApiCreated, ApiNoContent } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import type { AppRequest, Viewer } from '../../../platform/http/parsing/viewer.js';
import { PasskeyDto } from '../mfa/dto/factors.dto.js';
import { getSessionOrigin } from '../sessions/session-cookie.service.js';
import { AddedPasskeyDto, AddPasskeyDto, RenamePasskeyDto } from './dto/passkeys.dto.js';
import { PasskeyRegistrationService } from './passkey-registration.service.js';
import { passkeyErrors } from '../auth.errors.js';

/** WebAuthn options, which the page passes to the browser unchanged. */
export const webAuthnOptionsSchema = { type: 'object', additionalProperties: true } as const;

@ApiTags('account')
@AllowIncompleteProfile()
@SignedIn()
@SessionOnly()
@SkipMfaRequirement()
@Controller('api/user/passkeys')
export class PasskeysController {
  constructor(private readonly passkeys: PasskeyRegistrationService) {}

  @Post('options')
  @RequireReauthentication()
  @HttpCode(200)
  @ApiOperation({ summary: 'Get the options for creating a passkey (PublicKeyCredentialCreationOptionsJSON)' })
  @ApiOkResponse({ schema: webAuthnOptionsSchema })
  options(@CurrentViewer() viewer: Viewer): Promise<PublicKeyCredentialCreationOptionsJSON> {
    return this.passkeys.createRegistrationOptions(viewer);
  }

  @Post()
  @RequireReauthentication()
  @ApiCreated('Add a passkey created by the browser', AddedPasskeyDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, passkeyErrors.PASSKEY_INVALID, passkeyErrors.PASSKEY_LIMIT)
  add(
    @Body() { name, response }: AddPasskeyDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
  ): Promise<AddedPasskeyDto> {
    return this.passkeys.addPasskey(viewer, response, name, getSessionOrigin(request).ipAddress);
  }

  @Patch(':id')
  @ApiJson('Rename a passkey', PasskeyDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, passkeyErrors.PASSKEY_NOT_FOUND)
  rename(
    @IdParam() id: number,
    @Body() { name }: RenamePasskeyDto,
    @CurrentViewer() { userId }: Viewer,
  ): Promise<PasskeyDto> {
    return this.passkeys.renamePasskey(userId, id, name);
  }

  @Delete(':id')
  @RequireReauthentication()
  @ApiNoContent('Remove a passkey, and the recovery codes with the last factor')
  @ApiErrors(passkeyErrors.PASSKEY_NOT_FOUND)
  remove(@IdParam() id: number, @CurrentViewer() viewer: Viewer, @Req() request: AppRequest): Promise<void> {
    return this.passkeys.removePasskey(viewer, id, getSessionOrigin(request).ipAddress);
  }
}
