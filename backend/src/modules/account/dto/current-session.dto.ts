import { ApiProperty } from '@nestjs/swagger';
import { CurrentUserDto } from './current-user.dto.js';

export class CurrentSessionDto {
  /** Who is signed in; null when nobody is. */
  @ApiProperty({ type: CurrentUserDto, nullable: true })
  user: CurrentUserDto | null;
}
