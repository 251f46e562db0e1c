import { IsBoolean, IsEmail, ValidateIf, IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { EmailField, OneLine, Optional, Trimmed } from '../../../platform/http/reading/fields.js';
import { say } from '../../../platform/http/reading/validation.js';
import { ApiProperty } from '@nestjs/swagger';

const given = (_: unknown, value: unknown): boolean => value !== undefined && value !== null && value !== '';

export class UpdateMailSettingsDto {
  /** Name before the address in the mails of the zone; null or empty is the zone's name. */
  @ValidateIf(given)
  @Trimmed()
  @OneLine()
  @MaxLength(100, say('The name is too long', 'Ad çok uzun'))
  @IsString(say('The name must be a text', 'Ad bir metin olmalıdır'))
  fromName?: string | null;

  /** Where answers go once its mailbox has agreed by a mailed link; null or empty is your own address. */
  @ValidateIf(given)
  @EmailField()
  @IsEmail({}, say('Please enter a valid email address', 'Lütfen geçerli bir e-posta adresi girin'))
  @MaxLength(255, say('Email is too long', 'E-posta çok uzun'))
  @OneLine()
  replyTo?: string | null;

  /** Whether new members get the welcome mail. */
  @Optional()
  @IsBoolean(say('This must be true or false', 'Bu değer true veya false olmalıdır'))
  welcomeEnabled?: boolean;

  @Optional()
  @Trimmed()
  @OneLine()
  @MaxLength(255, say('The subject line is too long', 'Konu satırı çok uzun'))
  @IsNotEmpty(say('Please enter a subject line', 'Lütfen bir konu satırı girin'))
  @IsString(say('Please enter a subject line', 'Lütfen bir konu satırı girin'))
  welcomeSubject?: string;

  @Optional()
  @IsNotEmpty(say('Please enter email content', 'Lütfen e-posta içeriğini girin'))
  @IsString(say('Please enter email content', 'Lütfen e-posta içeriğini girin'))
  welcomeHtmlContent?: string;
}

export class MailSettingsDto {
  fromName: string | null;
  replyTo: string | null;
  /** Its mailbox has not agreed yet: until then answers go to your own address. */
  replyToWaiting: boolean;
  /** When the link by which it agrees was last sent; null while none could be, or when it needs none. */
  replyToAskedAt: Date | null;
  welcomeEnabled: boolean;
  /** Of the built-in welcome mail until you change it. */
  welcomeSubject: string;
  welcomeHtmlContent: string;
  /** The welcome mail as a campaign, with its counts; null before the first one. */
  welcomeCampaignId: number | null;
  /** New members who got no welcome mail because the month's quota was used up. */
  welcomeSkipped: number;
}

const noToken = say('Invalid link', 'Geçersiz bağlantı');

export class ReplyToLinkDto {
  /** The `token` parameter of the mailed link. */
  @ApiProperty({ maxLength: 200 })
  @IsString(noToken)
  @MaxLength(200, noToken)
  @IsNotEmpty(noToken)
  token: string;
}

export class ReplyToLinkStateDto {
  /** To which answers would go; null for an unknown, used or expired link, all alike. */
  email: string | null;
  /** Whose mails are answered there; null with `email`. */
  zoneName: string | null;
}
