import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import {
  IsBoolean,
  IsInt,
  IsISO8601,
  IsNotEmpty,
  IsNumber,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateIf,
} from 'class-validator';
import { NormaliseToNfc, OneLine, OptionalField, Trim } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import { FirstFileDto, PublicZoneOwnerDto } from './join.dto.js';
import type { LinkState } from '../link.policy.js';

const nameMessage = localized('Please enter a name for the link', 'Lütfen bağlantı için bir ad girin');
export const expiryMessage = localized(
  'Invalid date/time selected. Please check your inputs.',
  'Geçersiz tarih/saat seçildi. Lütfen girdilerinizi kontrol edin.',
);
const maxUsesMessage = localized(
  'The number of uses must be a whole number from 1 to 1000000',
  'Kullanım sayısı 1 ile 1000000 arasında bir tam sayı olmalıdır',
);
const membershipDaysMessage = localized(
  'The length of membership must be a whole number of days from 1 to 3650',
  'Üyelik süresi 1 ile 3650 gün arasında bir tam sayı olmalıdır',
);
const passwordMessage = localized(
  'The password must have 6 to 128 characters',
  'Parola 6 ile 128 karakter arasında olmalıdır',
);

/** Skips the rules below it for null, which means "none", and for omitted fields. */
export const OrNull = () => ValidateIf((_: unknown, value: unknown) => value !== undefined && value !== null);

export class CreateTemporaryLinkDto {
  @Trim()
  @OneLine()
  @MaxLength(255, localized('The name is too long', 'Ad çok uzun'))
  @IsNotEmpty(nameMessage)
  @IsString(nameMessage)
  name: string;

  /** When the link expires: date and time with offset. Either this or `expiresInHours`. */
  @ApiPropertyOptional({ format: 'date-time' })
  @OptionalField()
  @Matches(/(?:[zZ]|[+-]\d{2}:?\d{2})$/, expiryMessage)
  @IsISO8601({ strict: true, strictSeparator: true }, expiryMessage)
  expiresAt?: string;

  /** How long the link is valid, in hours; fractions are rounded to minutes. Either this or `expiresAt`. */
  @ApiPropertyOptional({ minimum: 0.0167, maximum: 87600 })
  @OptionalField()
  @Min(0.0166, expiryMessage)
  @Max(87_600, expiryMessage)
  @IsNumber({ allowNaN: false, allowInfinity: false }, expiryMessage)
  expiresInHours?: number;

  /** Maximum number of joins; null or omitted for unlimited. */
  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 1, maximum: 1_000_000 })
  @OrNull()
  @Max(1_000_000, maxUsesMessage)
  @Min(1, maxUsesMessage)
  @IsInt(maxUsesMessage)
  maxUses?: number | null;

  /** Password for visitors; null or omitted for none. */
  @ApiPropertyOptional({ type: String, nullable: true, minLength: 6, maxLength: 128 })
  @NormaliseToNfc()
  @OrNull()
  @MaxLength(128, passwordMessage)
  @MinLength(6, passwordMessage)
  @IsString(passwordMessage)
  password?: string | null;

  /** Length of a membership by this link in days; null or omitted for unlimited. */
  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 1, maximum: 3650 })
  @OrNull()
  @Max(3650, membershipDaysMessage)
  @Min(1, membershipDaysMessage)
  @IsInt(membershipDaysMessage)
  membershipDays?: number | null;
}

export class UpdateTemporaryLinkDto extends PartialType(CreateTemporaryLinkDto, { skipNullProperties: false }) {
  /** False pauses the link, true resumes it. */
  @OptionalField()
  @IsBoolean(localized('This must be true or false', 'Bu değer true veya false olmalıdır'))
  isActive?: boolean;
}

export class TemporaryLinkDto {
  id: number;
  zoneId: number;
  token: string;
  name: string;
  /** The URL to share. */
  url: string;
  expiresAt: Date;
  /** Null means unlimited. */
  maxUses: number | null;
  currentUses: number;
  /** False while paused. */
  isActive: boolean;
  isExpired: boolean;
  hasReachedMaxUses: boolean;
  @ApiProperty({ enum: ['active', 'expired', 'max_uses', 'inactive'] })
  state: LinkState;
  hasPassword: boolean;
  /**
   * When so many wrong passwords were last entered that attempts were limited for the whole link; null if never since
   * the password was set.
   */
  passwordAttackedAt: Date | null;
  /** Length of a membership by this link in days; null for unlimited. */
  membershipDays: number | null;
  createdById: number | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A zone as visitors of a temporary link see it before joining. */
export class TemporaryLinkInfoDto {
  zoneName: string;
  /** Null until the password is entered, like the counts. */
  zoneDescription: string | null;
  expiresAt: Date;
  /** Null means unlimited. */
  remainingUses: number | null;
  fileCount: number | null;
  memberCount: number | null;
  /** As in a public zone; empty for links with a password. */
  firstFiles: FirstFileDto[];
  moreFiles: number;
  owner: PublicZoneOwnerDto;
  autoJoin: boolean;
  requiresEmailOptin: boolean;
  requiresPassword: boolean;
  membershipDays: number | null;
  /** The consent text for `emailConsent`, in the language of the request. */
  consentText: string;
}
