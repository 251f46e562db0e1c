import { IsBoolean, IsEmail, ValidateIf, IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { NormaliseEmail, OneLine, OptionalField, Trim } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import { ApiProperty } from '@nestjs/swagger';

const isProvided = (_: unknown, value: unknown): boolean => value !== undefined && value !== null && value !== '';

export class UpdateMailSettingsDto {
  /** Sender name of the zone's emails; null or empty for the zone's name. */
  @ValidateIf(isProvided)
  @Trim()
  @OneLine()
  @MaxLength(100, localized('The name is too long', 'Ad çok uzun'))
  @IsString(localized('The name must be text', 'Ad bir metin olmalıdır'))
  fromName?: string | null;

  /** Reply-to address, once confirmed by its owner; null or empty for your own address. */
  @ValidateIf(isProvided)
  @NormaliseEmail()
  @IsEmail({}, localized('Please enter a valid email address', 'Lütfen geçerli bir e-posta adresi girin'))
  @MaxLength(255, localized('Email is too long', 'E-posta çok uzun'))
  @OneLine()
  replyTo?: string | null;

  /** Whether new members get the welcome email. */
  @OptionalField()
  @IsBoolean(localized('This must be true or false', 'Bu değer true veya false olmalıdır'))
  welcomeEnabled?: boolean;

  @OptionalField()
  @Trim()
  @OneLine()
  @MaxLength(255, localized('The subject line is too long', 'Konu satırı çok uzun'))
  @IsNotEmpty(localized('Please enter a subject line', 'Lütfen bir konu satırı girin'))
  @IsString(localized('Please enter a subject line', 'Lütfen bir konu satırı girin'))
  welcomeSubject?: string;

  @OptionalField()
  @IsNotEmpty(localized('Please enter email content', 'Lütfen e-posta içeriğini girin'))
  @IsString(localized('Please enter email content', 'Lütfen e-posta içeriğini girin'))
  welcomeHtmlContent?: string;
}

export class MailSettingsDto {
  fromName: string | null;
  replyTo: string | null;
  /** The address that hasn't been confirmed yet. Until then, replies go to your own address. */
  replyToWaiting: boolean;
  /** When the confirmation link was last sent; null if none was sent or needed. */
  replyToAskedAt: Date | null;
  welcomeEnabled: boolean;
  /** The built-in subject until you change it. */
  welcomeSubject: string;
  welcomeHtmlContent: string;
  /** The welcome email as a campaign, with its statistics; null before the first one. */
  welcomeCampaignId: number | null;
  /** Number of new members without a welcome email because the monthly limit was reached. */
  welcomeSkipped: number;
}

const tokenMessage = localized('Invalid link', 'Geçersiz bağlantı');

export class ReplyToLinkDto {
  /** The `token` parameter of the emailed link. */
  @ApiProperty({ maxLength: 200 })
  @IsString(tokenMessage)
  @MaxLength(200, tokenMessage)
  @IsNotEmpty(tokenMessage)
  token: string;
}

export class ReplyToLinkStateDto {
  /** The reply-to address; null for an unknown, used or expired link. */
  email: string | null;
  /** The zone whose replies go there; null if `email` is null. */
  zoneName: string | null;
}
