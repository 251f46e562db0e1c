import { ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { IsBoolean, IsIn, IsInt, IsISO8601, IsNotEmpty, IsString, Max, MaxLength, Min } from 'class-validator';
import { OneLine, OptionalField, Trim } from '../../../platform/http/parsing/fields.js';
import { MissingMessage, localized } from '../../../platform/http/parsing/validation.js';
import { audiences, campaignStatuses, type CampaignStatus, type TargetAudience } from '../entities/campaign.entity.js';
import { freezeList } from '../../../platform/constants/freeze-list.js';

const subjectMessage = localized('Please enter a subject line', 'Lütfen bir konu satırı girin');
const contentMessage = localized('Please enter email content', 'Lütfen e-posta içeriğini girin');
const zoneMessage = localized('Please select a zone', 'Lütfen bir bölge seçin');
const audienceMessage = localized(
  'The audience must be all, recent or older',
  'Hedef kitle all, recent veya older olmalıdır',
);

const timeMessage = localized(
  'Invalid date/time selected. Please check your inputs.',
  'Geçersiz tarih/saat seçildi. Lütfen girdilerinizi kontrol edin.',
);

const SubjectRule = () =>
  applyDecorators(
    Trim(),
    IsString(subjectMessage),
    IsNotEmpty(subjectMessage),
    MaxLength(255, localized('The subject line is too long', 'Konu satırı çok uzun')),
    OneLine(),
  );

const ContentRule = () => applyDecorators(Trim(), IsString(contentMessage), IsNotEmpty(contentMessage));

const TextRule = () =>
  applyDecorators(
    IsString(localized('The text part must be text', 'Metin bölümü bir metin olmalıdır')),
    MaxLength(200_000, localized('The text part is too long', 'Metin bölümü çok uzun')),
  );

const NameRule = () =>
  applyDecorators(
    Trim(),
    IsString(localized('The name must be text', 'Ad bir metin olmalıdır')),
    MaxLength(255, localized('The name is too long', 'Ad çok uzun')),
    OneLine(),
  );

/** Optimistic lock: time of the last change that the client has seen. Without it, the check is skipped. */
const VersionRule = () =>
  applyDecorators(
    OptionalField(),
    IsISO8601(
      { strict: true },
      localized('This must be the time of the last change', 'Bu değer son değişikliğin zamanı olmalıdır'),
    ),
  );

const AudienceRule = () => IsIn(audiences, audienceMessage);

/** Content and recipients of a campaign; the zone is in the path. */
@MissingMessage('Please fill in both subject and content fields.', 'Lütfen konu ve içerik alanlarını doldurun.')
export class ZoneCampaignDto {
  @SubjectRule()
  subject: string;

  /** Write merge fields as `{{first_name}}`, or with a fallback as `{{first_name|friend}}`. At most 500 kB. */
  @ContentRule()
  htmlContent: string;

  /** Plain-text version; generated from the HTML if omitted or empty. */
  @OptionalField()
  @TextRule()
  textContent?: string;

  /** Only shown to you. Default: the subject. */
  @OptionalField()
  @NameRule()
  name?: string;

  /** `recent` joined within the last 30 days, `older` before. */
  @ApiProperty({ enum: audiences })
  @OptionalField()
  @AudienceRule()
  targetAudience?: TargetAudience;

  /** Same as `targetAudience`. */
  @ApiProperty({ enum: audiences })
  @OptionalField()
  @AudienceRule()
  recipientType?: TargetAudience;

  /** Whether opens and clicks are tracked (default). */
  @OptionalField()
  @IsBoolean(localized('This must be true or false', 'Bu değer true veya false olmalıdır'))
  trackingEnabled?: boolean;
}

@MissingMessage('Please fill in all required fields', 'Lütfen tüm zorunlu alanları doldurun')
export class CreateCampaignDto extends ZoneCampaignDto {
  @Min(1, zoneMessage)
  @Max(Number.MAX_SAFE_INTEGER, zoneMessage)
  @IsInt(zoneMessage)
  zoneId: number;
}

export class UpdateCampaignDto {
  @OptionalField()
  @SubjectRule()
  subject?: string;

  @OptionalField()
  @ContentRule()
  htmlContent?: string;

  @OptionalField()
  @TextRule()
  textContent?: string;

  @OptionalField()
  @NameRule()
  name?: string;

  @OptionalField()
  @Min(1, zoneMessage)
  @Max(Number.MAX_SAFE_INTEGER, zoneMessage)
  @IsInt(zoneMessage)
  zoneId?: number;

  @ApiProperty({ enum: audiences })
  @OptionalField()
  @AudienceRule()
  targetAudience?: TargetAudience;

  @ApiProperty({ enum: audiences })
  @OptionalField()
  @AudienceRule()
  recipientType?: TargetAudience;

  @OptionalField()
  @IsBoolean(localized('This must be true or false', 'Bu değer true veya false olmalıdır'))
  trackingEnabled?: boolean;

  /** `updatedAt` on which the change is based. If the draft has changed since, the request is rejected. */
  @VersionRule()
  updatedAt?: string;
}

/** The version of the draft to send. */
export class SendCampaignDto {
  /** `updatedAt` of the reviewed draft. If the draft has changed since, it isn't sent. */
  @VersionRule()
  updatedAt?: string;
}

export const sendModes = freezeList(['send', 'draft']);

export class SendEmailDto extends ZoneCampaignDto {
  /** `send` (default) sends immediately; `draft` saves a draft. */
  @ApiProperty({ enum: sendModes })
  @OptionalField()
  @IsIn(sendModes, localized('The mode must be send or draft', 'Kip send veya draft olmalıdır'))
  sendMode?: (typeof sendModes)[number];
}

export class SendEmailAnswerDto {
  @ApiProperty({ enum: campaignStatuses })
  status: CampaignStatus;
  recipientCount: number;
  /** All members of the zone, including those who don't get this email. */
  totalMembers: number;
  campaignId: number;
}

export class ScheduleDto {
  /** ISO 8601: with Z or an offset, or without for local time in `timeZone`. */
  @MaxLength(40, timeMessage)
  @IsString(timeMessage)
  scheduledAt: string;

  /** IANA name, such as Europe/Istanbul. */
  @MaxLength(60, localized('Please choose a time zone', 'Lütfen bir saat dilimi seçin'))
  @IsString(localized('Please choose a time zone', 'Lütfen bir saat dilimi seçin'))
  timeZone: string;

  /** `updatedAt` of the reviewed draft. If the draft has changed since, it isn't scheduled. */
  @VersionRule()
  updatedAt?: string;
}

export class CampaignAbilitiesDto {
  edit: boolean;
  send: boolean;
  schedule: boolean;
  unschedule: boolean;
  pause: boolean;
  resume: boolean;
  cancel: boolean;
  retryFailed: boolean;
  delete: boolean;
  seeReport: boolean;
}

/** Sending progress; polled while sending. */
export class CampaignProgressDto {
  id: number;
  @ApiProperty({ enum: campaignStatuses })
  status: CampaignStatus;
  recipientCount: number;
  deliveredCount: number;
  /** Emails created without an email server: kept here, not sent, and not counted towards the limit. */
  keptCount: number;
  failedCount: number;
  /** Not sent because the person left or unsubscribed. */
  skippedCount: number;
  cancelledCount: number;
  /** Still to be sent. */
  pendingCount: number;
  openCount: number;
  clickCount: number;
}

/** Sending progress with the reason for a delay. */
export class SendingProgressDto extends CampaignProgressDto {
  /** Since when the email server has been rejecting emails while this campaign waits for it; otherwise null. */
  mailServerRefusingSince: Date | null;
}

/** A campaign without its content. */
export class CampaignSummaryDto extends CampaignProgressDto {
  @ApiProperty({ enum: ['campaign', 'welcome'] })
  kind: 'campaign' | 'welcome';
  name: string;
  subject: string;
  zoneId: number;
  zoneName: string;
  /** The zone was deleted; only the report of the campaign remains. */
  isZoneDeleted: boolean;
  @ApiProperty({ enum: audiences })
  targetAudience: TargetAudience;
  trackingEnabled: boolean;
  sentById: number;
  /**
   * Why it didn't start (PLAN_LIMIT, NO_RECIPIENTS, OWNER_DEACTIVATED), was paused automatically (SENDER_REFUSED,
   * READERS_REFUSED), or reached nobody (ALL_REFUSED, NO_MAIL_SERVER).
   */
  failure: string | null;
  scheduledAt: Date | null;
  timeZone: string | null;
  startedAt: Date | null;
  sentAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  /** Actions that are possible now. */
  can: CampaignAbilitiesDto;
}

export class CampaignDto extends CampaignSummaryDto {
  /** The content as plain text, generated from the HTML if there's no text version. */
  message: string;
  htmlContent: string;
  textContent: string | null;
}

export class EmailQuotaDto {
  unlimited: boolean;
  /** Sent this month, without cancelled emails. */
  emailsSent: number;
  /** null if unlimited. */
  quotaLimit: number | null;
  /** null if unlimited. */
  remaining: number | null;
  /** Month (UTC), such as 2026-11. */
  monthYear: string;
  resetsAt: Date;
}

/** Information to confirm before sending. */
export class SendPreviewDto {
  totalMembers: number;
  audienceMembers: number;
  /** Number of recipients. */
  recipientCount: number;
  /** People in the audience who haven't agreed to receive emails. */
  withoutConsent: number;
  /** People in the audience with a bounced address, a spam complaint or an inactive account. */
  unreachable: number;
  quota: EmailQuotaDto;
  /** Whether the remaining emails are enough for all recipients. */
  fitsQuota: boolean;
  fromName: string;
  /** Reply-to address; null if you have no verified email address. */
  replyTo: string | null;
  /** Whether the email contains a postal address, which many countries require by law. */
  hasPostalAddress: boolean;
}

export class AudienceQueryDto {
  @ApiProperty({ enum: audiences })
  @OptionalField()
  @AudienceRule()
  targetAudience?: TargetAudience;
}
