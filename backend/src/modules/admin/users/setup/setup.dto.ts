import { ApiProperty } from '@nestjs/swagger';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { setupSteps, type SetupStep } from '../../../../platform/installation/setup-progress.service.js';
import { EmailRule } from '../../../../platform/http/reading/fields.js';
import { say } from '../../../../platform/http/reading/validation.js';
import { FirstNameRule, LastNameRule, NewPasswordRule, UsernameRule } from '../../../auth/dto/profile-rules.dto.js';

const noKey = say('The key is missing', 'Anahtar eksik');

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
  @IsString(noKey)
  @MaxLength(200, noKey)
  @IsNotEmpty(noKey)
  key: string;

  @ApiProperty({ format: 'email', maxLength: 255 })
  @EmailRule()
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
