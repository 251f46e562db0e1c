import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { IsNotEmpty, IsString, MaxLength, ValidateBy } from 'class-validator';
import { OneLine, OptionalField, Trim } from '../../../../platform/http/parsing/fields.js';
import { localized } from '../../../../platform/http/parsing/validation.js';
import { PasskeyDto } from '../../mfa/dto/factors.dto.js';
import { isAuthenticationResponse, isRegistrationResponse } from '../passkey.policy.js';

const invalidResponseMessage = localized(
  "This isn't a valid passkey response",
  'Bu, geçerli bir geçiş anahtarı yanıtı değil',
);
const nameRequiredMessage = localized('Please enter a name', 'Lütfen bir ad girin');
const nameTooLongMessage = localized('The name is too long', 'Ad çok uzun');

/** Validates the shape of a `navigator.credentials.get()` result. `PasskeyVerificationService` verifies its content. */
export const IsPasskeyAuthentication = () =>
  applyDecorators(
    ValidateBy({ name: 'isAuthentication', validator: { validate: isAuthenticationResponse } }, invalidResponseMessage),
  );

/** Validates the shape of a `navigator.credentials.create()` result. */
const IsPasskeyRegistration = () =>
  applyDecorators(
    ValidateBy({ name: 'isRegistration', validator: { validate: isRegistrationResponse } }, invalidResponseMessage),
  );

export class AddPasskeyDto {
  @ApiPropertyOptional({ maxLength: 60 })
  @OptionalField()
  @Trim()
  @IsString(nameRequiredMessage)
  @IsNotEmpty(nameRequiredMessage)
  @OneLine()
  @MaxLength(60, nameTooLongMessage)
  name?: string;

  /** RegistrationResponseJSON of WebAuthn. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  @IsPasskeyRegistration()
  response: RegistrationResponseJSON;
}

export class AddedPasskeyDto {
  passkey: PasskeyDto;
  /** Ten codes if this is the person's first factor, shown only once; otherwise empty. */
  recoveryCodes: string[];
}

export class RenamePasskeyDto {
  @ApiProperty({ maxLength: 60 })
  @Trim()
  @OneLine()
  @MaxLength(60, nameTooLongMessage)
  @IsNotEmpty(nameRequiredMessage)
  @IsString(nameRequiredMessage)
  name: string;
}

export class PasskeySignInDto {
  /** AuthenticationResponseJSON of WebAuthn. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  @IsPasskeyAuthentication()
  response: AuthenticationResponseJSON;
}
