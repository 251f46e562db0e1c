import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { IsNotEmpty, IsString, MaxLength, ValidateBy } from 'class-validator';
import { OneLine, Optional, Trimmed } from '../../../../platform/http/reading/fields.js';
import { say } from '../../../../platform/http/reading/validation.js';
import { PasskeyDto } from '../../factors/dto/factors.dto.js';
import { isAuthentication, isRegistration } from '../passkey.policy.js';

const noAnswer = say("This isn't a valid passkey response", 'Bu, geçerli bir geçiş anahtarı yanıtı değil');
const noName = say('Please enter a name', 'Lütfen bir ad girin');
const longName = say('The name is too long', 'Ad çok uzun');

/** DTO field that has the form of what `navigator.credentials.get()` gives; who verifies it is `PasskeyChecker`. */
export const IsAuthentication = () =>
  applyDecorators(ValidateBy({ name: 'isAuthentication', validator: { validate: isAuthentication } }, noAnswer));

/** DTO field that has the form of what `navigator.credentials.create()` gives. */
const IsRegistration = () =>
  applyDecorators(ValidateBy({ name: 'isRegistration', validator: { validate: isRegistration } }, noAnswer));

export class AddPasskeyDto {
  @ApiPropertyOptional({ maxLength: 60 })
  @Optional()
  @Trimmed()
  @IsString(noName)
  @IsNotEmpty(noName)
  @OneLine()
  @MaxLength(60, longName)
  name?: string;

  /** RegistrationResponseJSON of WebAuthn. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  @IsRegistration()
  response: RegistrationResponseJSON;
}

export class AddedPasskeyDto {
  passkey: PasskeyDto;
  /** Ten codes if this is the person's first factor, shown only once; otherwise empty. */
  recoveryCodes: string[];
}

export class RenamePasskeyDto {
  @ApiProperty({ maxLength: 60 })
  @Trimmed()
  @OneLine()
  @MaxLength(60, longName)
  @IsNotEmpty(noName)
  @IsString(noName)
  name: string;
}

export class PasskeySignInDto {
  /** AuthenticationResponseJSON of WebAuthn. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  @IsAuthentication()
  response: AuthenticationResponseJSON;
}
