import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, IsNotEmpty, IsString, Max, MaxLength, Min } from 'class-validator';
import { catalogue } from '../../../platform/catalogue/catalogue.js';
import { OneLine, Trimmed } from '../../../platform/http/reading/fields.js';
import { say } from '../../../platform/http/reading/validation.js';
import type { Scope } from '../../../platform/http/reading/viewer.js';

const scopes: readonly Scope[] = catalogue(['read', 'write', 'admin']);
const noName = say('Please give the token a name.', 'Lütfen anahtara bir ad verin.');
const wrongDays = say('Please choose 1 to 365 days.', 'Lütfen 1 ile 365 gün arasında seçin.');

export class CreateApiTokenDto {
  /** To tell it from others. */
  @ApiProperty({ minLength: 1, maxLength: 100 })
  @Trimmed()
  @OneLine()
  @IsString(noName)
  @MaxLength(100, say('This name is too long.', 'Bu ad çok uzun.'))
  @IsNotEmpty(noName)
  name: string;

  /** `read` only looks, `write` also changes, `admin` also administers (admins only). */
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
  /** To the hour; null for never. */
  lastUsedAt: Date | null;
}

export class NewApiTokenDto extends ApiTokenDto {
  /** To be sent as `Authorization: Bearer …`. It is shown this once. */
  token: string;
}
