import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, IsNotEmpty, IsString, Max, MaxLength, Min } from 'class-validator';
import { catalogue } from '../../../platform/catalogue/catalogue.js';
import { OneLine, Trimmed } from '../../../platform/http/reading/fields.js';
import { say } from '../../../platform/http/reading/validation.js';
import type { Scope } from '../../../platform/http/reading/viewer.js';

const scopes: readonly Scope[] = catalogue(['read', 'write', 'admin']);
const noName = say('Please enter a name for the token.', 'Lütfen API anahtarı için bir ad girin.');
const wrongDays = say('Please choose 1 to 365 days.', 'Lütfen 1 ile 365 gün arasında seçin.');

export class CreateApiTokenDto {
  /** A name to recognise it by. */
  @ApiProperty({ minLength: 1, maxLength: 100 })
  @Trimmed()
  @OneLine()
  @IsString(noName)
  @MaxLength(100, say('This name is too long.', 'Bu ad çok uzun.'))
  @IsNotEmpty(noName)
  name: string;

  /** `read` is read-only, `write` can also make changes, `admin` can also administer (admins only). */
  @ApiProperty({ enum: scopes })
  @IsIn(scopes, say('Please choose read, write or admin.', 'Lütfen read, write veya admin seçin.'))
  scope: Scope;

  /** Days until it expires. */
  @ApiProperty({ minimum: 1, maximum: 365 })
  @IsInt(wrongDays)
  @Min(1, wrongDays)
  @Max(365, wrongDays)
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
