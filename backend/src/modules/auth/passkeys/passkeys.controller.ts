import { Body, Controller, Delete, HttpCode, Patch, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import {
  AllowReader,
  AllowFactorless,
  Confirmed,
  CurrentViewer,
  SessionOnly,
  SignedIn,
} from '../../../platform/http/access.decorator.js';
import { Answers, AnswersCreated, AnswersNothing } from '../../../platform/http/answers.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/reading/id.pipe.js';
import type { AppRequest, Viewer } from '../../../platform/http/reading/viewer.js';
import { PasskeyDto } from '../factors/dto/factors.dto.js';
import { originOf } from '../sessions/session-cookie.service.js';
import { AddedPasskeyDto, AddPasskeyDto, RenamePasskeyDto } from './dto/passkeys.dto.js';
import { PasskeyRegistration } from './passkey-registration.service.js';
import { passkeyErrors } from '../auth.errors.js';

/** Options of WebAuthn, which the page hands to the browser as they are. */
export const optionsSchema = { type: 'object', additionalProperties: true } as const;

@ApiTags('account')
@AllowReader()
@SignedIn()
@SessionOnly()
@AllowFactorless()
@Controller('api/user/passkeys')
export class PasskeysController {
  constructor(private readonly passkeys: PasskeyRegistration) {}

  @Post('options')
  @Confirmed()
  @HttpCode(200)
  @ApiOperation({ summary: 'Get the options for creating a passkey (PublicKeyCredentialCreationOptionsJSON)' })
  @ApiOkResponse({ schema: optionsSchema })
  options(@CurrentViewer() viewer: Viewer): Promise<PublicKeyCredentialCreationOptionsJSON> {
    return this.passkeys.begin(viewer);
  }

  @Post()
  @Confirmed()
  @AnswersCreated('Add a passkey created by the browser', AddedPasskeyDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, passkeyErrors.PASSKEY_INVALID, passkeyErrors.PASSKEY_LIMIT)
  add(
    @Body() { name, response }: AddPasskeyDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
  ): Promise<AddedPasskeyDto> {
    return this.passkeys.add(viewer, response, name, originOf(request).ipAddress);
  }

  @Patch(':id')
  @Answers('Rename a passkey', PasskeyDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, passkeyErrors.PASSKEY_NOT_FOUND)
  rename(
    @IdParam() id: number,
    @Body() { name }: RenamePasskeyDto,
    @CurrentViewer() { userId }: Viewer,
  ): Promise<PasskeyDto> {
    return this.passkeys.rename(userId, id, name);
  }

  @Delete(':id')
  @Confirmed()
  @AnswersNothing('Remove a passkey, and the recovery codes with the last factor')
  @ApiErrors(passkeyErrors.PASSKEY_NOT_FOUND)
  remove(@IdParam() id: number, @CurrentViewer() viewer: Viewer, @Req() request: AppRequest): Promise<void> {
    return this.passkeys.remove(viewer, id, originOf(request).ipAddress);
  }
}
