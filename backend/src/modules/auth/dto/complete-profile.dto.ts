import { ApiProperty } from '@nestjs/swagger';
import { EmailRule } from '../../../platform/http/fields.js';
import { FirstNameRule, LastNameRule, NewPasswordRule, UsernameRule } from './profile-rules.dto.js';

export class CompleteProfileDto {
  /** Must be the address of the session: the session decides whose profile it is. */
  @ApiProperty({ format: 'email', maxLength: 255 })
  @EmailRule()
  email: string;

  @ApiProperty({ minLength: 1, maxLength: 50 })
  @FirstNameRule()
  firstName: string;

  @ApiProperty({ minLength: 1, maxLength: 50 })
  @LastNameRule()
  lastName: string;

  /** Letters, digits and underscores; kept in lower case. */
  @ApiProperty({ minLength: 3, maxLength: 30 })
  @UsernameRule('Username too long')
  username: string;

  @ApiProperty({ minLength: 8, maxLength: 200 })
  @NewPasswordRule('Password must be at least 8 characters long')
  newPassword: string;
}
