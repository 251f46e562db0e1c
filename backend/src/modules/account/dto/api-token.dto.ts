import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, IsNotEmpty, IsString, Max, MaxLength, Min } from 'class-validator';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { OneLine, Trim } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import type { Scope } from '../../../platform/http/parsing/viewer.js';

const scopes: readonly Scope[] = freezeList(['read', 'write', 'admin']);
const nameRequiredMessage = localized('Please enter a name for the token.', 'Lütfen API anahtarı için bir ad girin.');
const daysRangeMessage = localized('Please choose 1 to 365 days.', 'Lütfen 1 ile 365 gün arasında seçin.');

export class CreateApiTokenDto {
  /** A name to recognise it by. */
  @ApiProperty({ minLength: 1, maxLength: 100 })
  @Trim()
  @OneLine()
  @IsString(nameRequiredMessage)
  @MaxLength(100, localized('This name is too long.', 'Bu ad çok uzun.'))
  @IsNotEmpty(nameRequiredMessage)
  name: string;

  /** `read` is read-only, `write` can also make changes, `admin` can also administer (admins only). */
  @ApiProperty({ enum: scopes })
  @IsIn(scopes, localized('Please choose read, write or admin.', 'Lütfen read, write veya admin seçin.'))
  scope: Scope;

  /** Days until it expires. */
  @ApiProperty({ minimum: 1, maximum: 365 })
  @IsInt(daysRangeMessage)
  @Min(1, daysRangeMessage)
  @Max(365, daysRangeMessage)
  expiresInDays: number;
}

export class ApiTokenDto {
  id: number;
  name: string;
  @ApiProperty({ enum: scopes })
  scope: Scope;
  createdAt: Date;
  expiresAt: Date;
  /** Rounded to the hour; null if never used. */
  lastUsedAt: Date | null;
}

export class NewApiTokenDto extends ApiTokenDto {
  /** Send it as `Authorization: Bearer …`. Shown only once. */
  token: string;
}
