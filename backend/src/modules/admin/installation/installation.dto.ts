import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsOptional, IsString, MaxLength, MinLength, ValidateBy } from 'class-validator';
import { parseOrigin } from '../../../platform/config/parsers.js';
import { purposes, settingKeys, settingSources, type SettingKey } from '../../../platform/config/settings.js';
import { setupSteps, type SetupStep } from '../../../platform/installation/setup-progress.service.js';
import { planIds, type PlanId } from '../../plans/plan.policy.js';
import { IsEmailAddress, isValidEmail, OneLine, OptionalField, Trim } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import { LegalUrl, LegalText } from './legal-fields.js';
import { MailSettingDto } from './mail/mail-server.dto.js';

/** A setting of the installation. */
export class InstallationSettingDto {
  @ApiProperty({ enum: settingKeys })
  key: SettingKey;
  /** Current value. */
  @ApiProperty({ type: String, nullable: true })
  value: string | null;
  /** Source of the value: a variable takes precedence over this setting, and this setting over the default. */
  @ApiProperty({ enum: settingSources })
  source: 'variable' | 'setting' | 'default';
  /** Name of the corresponding environment variable; null if there is none. */
  @ApiProperty({ type: String, nullable: true })
  variable: string | null;
}

export class InstallationDto {
  settings: InstallationSettingDto[];
  /** True if the address changed between http and https since startup: restart to apply it to cookies and headers. */
  needsStart: boolean;
  mail: MailSettingDto;
  /** Remaining setup steps in order; empty once the setup is complete. */
  @ApiProperty({ enum: setupSteps, isArray: true })
  setupLeft: SetupStep[];
}

/** A host in the form that `URL` returns. Contains no characters that need escaping in HTML, headers or URLs. */
const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])$/;

/** Returns the origin of a URL that has no path; null for anything else. */
function toPublicOrigin(value: unknown): string | null {
  try {
    const origin = parseOrigin(String(value));
    return origin !== null && HOST.test(new URL(origin).hostname) ? origin : null;
  } catch {
    // The validation rule reports the error, in both languages.
    return null;
  }
}

/** Whether the value is a single sender, `Name <address>` or an address, that email servers parse unambiguously. */
function isSender(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const named = /^[^<>@",;:()[\]\\]*<([^<>]*)>$/.exec(value);
  return isValidEmail(named ? named[1]! : value);
}

const ValidateValue = (name: string, validate: (value: unknown) => boolean, sentence: ReturnType<typeof localized>) =>
  ValidateBy({ name, validator: { validate } }, sentence);

/** Omit to keep the value; null restores the default. */
const OptionalSettingText = (min: number, max: number) =>
  applyDecorators(
    ApiPropertyOptional({ type: String, nullable: true, minLength: min, maxLength: max }),
    IsOptional(),
    Trim(),
    OneLine(),
    MaxLength(max, localized(`Please write at most ${max} characters`, `Lütfen en çok ${max} karakter yazın`)),
    MinLength(min, localized(`Please write at least ${min} characters`, `Lütfen en az ${min} karakter yazın`)),
    IsString(localized('Please enter text', 'Lütfen bir metin girin')),
  );

/** Changed settings of the installation. Omitted settings keep their values; null restores the default. */
export class ChangeInstallationDto {
  /** A site for the owner's own audience, without limits and sales, or a service for other creators. */
  @ApiPropertyOptional({ type: String, enum: purposes, nullable: true })
  @IsOptional()
  @IsIn(purposes, localized('Please choose what this site is for', 'Lütfen bu sitenin ne için olduğunu seçin'))
  purpose?: (typeof purposes)[number] | null;

  /** The plan of accounts without a larger one, in a service for other creators. */
  @ApiPropertyOptional({ type: String, enum: planIds, nullable: true })
  @IsOptional()
  @IsIn(planIds, localized("This plan doesn't exist", 'Böyle bir plan yok'))
  defaultPlan?: PlanId | null;

  @OptionalSettingText(1, 60)
  name?: string | null;

  /** Public address, with https or http and without a path. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 300 })
  @IsOptional()
  @Transform(({ value }) => (typeof value === 'string' ? (toPublicOrigin(value.trim()) ?? value) : value))
  @MaxLength(300, localized('Please enter at most 300 characters', 'Lütfen en fazla 300 karakter girin'))
  @ValidateValue(
    'isPublicAddress',
    (value) => typeof value === 'string' && toPublicOrigin(value) !== null,
    localized(
      'Please enter an address with https:// or http:// and without a path, such as https://zones.example.com',
      'Lütfen https:// veya http:// ile başlayan, yol içermeyen bir adres girin; örneğin https://zones.example.com',
    ),
  )
  address?: string | null;

  /** Sender of the service's emails: an address, or a name and an address in angle brackets. */
  @OptionalSettingText(3, 320)
  @ValidateValue(
    'isSender',
    isSender,
    localized(
      "Please enter one sender, such as Zones <hello@example.com>. The name can't contain commas, colons, quotation marks or brackets",
      'Lütfen tek bir gönderen girin; örneğin Zones <hello@example.com>. Ad; virgül, iki nokta, tırnak veya parantez içeremez',
    ),
  )
  mailFrom?: string | null;

  /** Contact for questions about plans. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 255 })
  @IsOptional()
  @IsEmailAddress()
  contactEmail?: string | null;

  @OptionalSettingText(1, 200)
  companyName?: string | null;

  @OptionalSettingText(1, 200)
  companyDirector?: string | null;

  @OptionalSettingText(1, 200)
  companyType?: string | null;

  @OptionalSettingText(3, 50)
  companyPhone?: string | null;

  /** Used in campaign emails of owners who have set no postal address. */
  @OptionalSettingText(3, 500)
  companyAddress?: string | null;

  @LegalUrl()
  termsUrl?: string | null;

  @LegalText()
  termsEn?: string | null;

  @LegalText()
  termsTr?: string | null;

  @LegalUrl()
  privacyUrl?: string | null;

  @LegalText()
  privacyEn?: string | null;

  @LegalText()
  privacyTr?: string | null;

  @LegalUrl()
  imprintUrl?: string | null;

  @LegalText()
  imprintEn?: string | null;

  @LegalText()
  imprintTr?: string | null;

  /** A setup step that was completed or skipped and isn't shown again. */
  @ApiPropertyOptional({ enum: setupSteps })
  @OptionalField()
  @IsIn(setupSteps, localized("This step doesn't exist", 'Böyle bir adım yok'))
  finishedStep?: SetupStep;
}
