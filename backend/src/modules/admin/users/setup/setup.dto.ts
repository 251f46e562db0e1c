import { ApiProperty } from '@nestjs/swagger';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { setupSteps, type SetupStep } from '../../../../platform/installation/setup-progress.service.js';
import { IsEmailAddress } from '../../../../platform/http/parsing/fields.js';
import { localized } from '../../../../platform/http/parsing/validation.js';
import { FirstNameRule, LastNameRule, NewPasswordRule, UsernameRule } from '../../../auth/dto/profile-rules.dto.js';

const keyMessage = localized('The key is missing', 'Anahtar eksik');

export class SetupStateDto {
  /** State for a valid key; other keys are answered with SETUP_CLOSED. */
  @ApiProperty({ enum: ['open'] })
  state: 'open';
  /** The steps that follow the account, in order. */
  @ApiProperty({ enum: setupSteps, isArray: true })
  following: SetupStep[];
}

export class SetupDto {
  /** The `key` parameter of the address printed at startup. */
  @ApiProperty({ maxLength: 200 })
  @IsString(keyMessage)
  @MaxLength(200, keyMessage)
  @IsNotEmpty(keyMessage)
  key: string;

  @ApiProperty({ format: 'email', maxLength: 255 })
  @IsEmailAddress()
  email: string;

  @ApiProperty({ minLength: 1, maxLength: 50 })
  @FirstNameRule()
  firstName: string;

  @ApiProperty({ minLength: 1, maxLength: 50 })
  @LastNameRule()
  lastName: string;

  /** Letters, digits and underscores; stored in lower case. */
  @ApiProperty({ minLength: 3, maxLength: 30 })
  @UsernameRule()
  username: string;

  @ApiProperty({ minLength: 8, maxLength: 200 })
  @NewPasswordRule()
  password: string;
}
