import { ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { IsBoolean, IsIn, IsInt, IsISO8601, IsNotEmpty, IsString, Max, MaxLength, Min } from 'class-validator';
import { OneLine, Optional, Trimmed } from '../../../platform/http/reading/fields.js';
import { MissingMessage, say } from '../../../platform/http/reading/validation.js';
import { audiences, campaignStatuses, type CampaignStatus, type TargetAudience } from '../entities/campaign.entity.js';
import { catalogue } from '../../../platform/catalogue/catalogue.js';

const noSubject = say('Please enter a subject line', 'Lütfen bir konu satırı girin');
const noContent = say('Please enter email content', 'Lütfen e-posta içeriğini girin');
const noZone = say('Please select a zone', 'Lütfen bir bölge seçin');
const whichAudience = say('The audience must be all, recent or older', 'Hedef kitle all, recent veya older olmalıdır');

const notATime = say(
  'Invalid date/time selected. Please check your inputs.',
  'Geçersiz tarih/saat seçildi. Lütfen girdilerinizi kontrol edin.',
);

const SubjectRule = () =>
  applyDecorators(
    Trimmed(),
    IsString(noSubject),
    IsNotEmpty(noSubject),
    MaxLength(255, say('The subject line is too long', 'Konu satırı çok uzun')),
    OneLine(),
  );

const ContentRule = () => applyDecorators(Trimmed(), IsString(noContent), IsNotEmpty(noContent));

const TextRule = () =>
  applyDecorators(
    IsString(say('The text part must be a text', 'Metin bölümü bir metin olmalıdır')),
    MaxLength(200_000, say('The text part is too long', 'Metin bölümü çok uzun')),
  );

const NameRule = () =>
  applyDecorators(
    Trimmed(),
    IsString(say('The name must be a text', 'Ad bir metin olmalıdır')),
    MaxLength(255, say('The name is too long', 'Ad çok uzun')),
    OneLine(),
  );

/** The state that somebody has seen: without it the present one is taken, whatever it is. */
const VersionRule = () =>
  applyDecorators(
    Optional(),
    IsISO8601(
      { strict: true },
      say('This must be the time of the last change', 'Bu değer son değişikliğin zamanı olmalıdır'),
    ),
  );

const AudienceRule = () => IsIn(audiences, whichAudience);

/** What a campaign in a given zone says and to whom. */
@MissingMessage('Please fill in both subject and content fields.', 'Lütfen konu ve içerik alanlarını doldurun.')
export class ZoneCampaignDto {
  @SubjectRule()
  subject: string;

  /** Merge fields are written `{{first_name}}`, or with a fall-back `{{first_name|friend}}`. 500 kB at most. */
  @ContentRule()
  htmlContent: string;

  /** Your own text part; made from the HTML when left out or empty. */
  @Optional()
  @TextRule()
  textContent?: string;

  /** Shown to you only; the subject when left out. */
  @Optional()
  @NameRule()
  name?: string;

  /** `recent` joined within the last 30 days, `older` before. */
  @ApiProperty({ enum: audiences })
  @Optional()
  @AudienceRule()
  targetAudience?: TargetAudience;

  /** Means the same as `targetAudience`. */
  @ApiProperty({ enum: audiences })
  @Optional()
  @AudienceRule()
  recipientType?: TargetAudience;

  /** Whether openings and clicks are counted (default). */
  @Optional()
  @IsBoolean(say('This must be true or false', 'Bu değer true veya false olmalıdır'))
  trackingEnabled?: boolean;
}

@MissingMessage('Please fill in all required fields', 'Lütfen tüm zorunlu alanları doldurun')
export class CreateCampaignDto extends ZoneCampaignDto {
  @Min(1, noZone)
  @Max(Number.MAX_SAFE_INTEGER, noZone)
  @IsInt(noZone)
  zoneId: number;
}

export class UpdateCampaignDto {
  @Optional()
  @SubjectRule()
  subject?: string;

  @Optional()
  @ContentRule()
  htmlContent?: string;

  @Optional()
  @TextRule()
  textContent?: string;

  @Optional()
  @NameRule()
  name?: string;

  @Optional()
  @Min(1, noZone)
  @Max(Number.MAX_SAFE_INTEGER, noZone)
  @IsInt(noZone)
  zoneId?: number;

  @ApiProperty({ enum: audiences })
  @Optional()
  @AudienceRule()
  targetAudience?: TargetAudience;

  @ApiProperty({ enum: audiences })
  @Optional()
  @AudienceRule()
  recipientType?: TargetAudience;

  @Optional()
  @IsBoolean(say('This must be true or false', 'Bu değer true veya false olmalıdır'))
  trackingEnabled?: boolean;

  /** `updatedAt` of the draft that the change is based on; one that was changed since is left alone. */
  @VersionRule()
  updatedAt?: string;
}

/** What is to be sent. */
export class SendCampaignDto {
  /** `updatedAt` of the draft that was looked at; one that was changed since is not sent. */
  @VersionRule()
  updatedAt?: string;
}

export const sendModes = catalogue(['send', 'draft']);

export class SendEmailDto extends ZoneCampaignDto {
  /** `send` (default) sends at once, `draft` keeps a draft. */
  @ApiProperty({ enum: sendModes })
  @Optional()
  @IsIn(sendModes, say('The mode must be send or draft', 'Kip send veya draft olmalıdır'))
  sendMode?: (typeof sendModes)[number];
}

export class SendEmailAnswerDto {
  @ApiProperty({ enum: campaignStatuses })
  status: CampaignStatus;
  recipientCount: number;
  /** Members of the zone, whether or not they get this mail. */
  totalMembers: number;
  campaignId: number;
}

export class ScheduleDto {
  /** ISO 8601: an instant (with Z or an offset), or what a clock in `timeZone` shows (without). */
  @MaxLength(40, notATime)
  @IsString(notATime)
  scheduledAt: string;

  /** IANA name, such as Europe/Istanbul. */
  @MaxLength(60, say('Please choose a time zone', 'Lütfen bir saat dilimi seçin'))
  @IsString(say('Please choose a time zone', 'Lütfen bir saat dilimi seçin'))
  timeZone: string;

  /** `updatedAt` of the draft that was looked at; one that was changed since is not scheduled. */
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

/** Where the sending stands; asked for again and again while it goes on. */
export class CampaignProgressDto {
  id: number;
  @ApiProperty({ enum: campaignStatuses })
  status: CampaignStatus;
  recipientCount: number;
  deliveredCount: number;
  /** Made while no mail server was set: kept in this installation, sent to nobody, and not counted against the quota. */
  keptCount: number;
  failedCount: number;
  /** Not sent, because the person had left or wants no mails any more. */
  skippedCount: number;
  cancelledCount: number;
  /** Still to be sent. */
  pendingCount: number;
  openCount: number;
  clickCount: number;
}

/** The same with what keeps it waiting. */
export class SendingProgressDto extends CampaignProgressDto {
  /** Since when the mail server has taken no mails, while mails of this campaign wait for it; null while it does. */
  mailServerRefusingSince: Date | null;
}

/** A campaign without what it says. */
export class CampaignSummaryDto extends CampaignProgressDto {
  @ApiProperty({ enum: ['campaign', 'welcome'] })
  kind: 'campaign' | 'welcome';
  name: string;
  subject: string;
  zoneId: number;
  zoneName: string;
  /** The zone is gone: the report is all that is left of the campaign. */
  isZoneDeleted: boolean;
  @ApiProperty({ enum: audiences })
  targetAudience: TargetAudience;
  trackingEnabled: boolean;
  sentById: number;
  /** Why it did not start (PLAN_LIMIT, NO_RECIPIENTS, OWNER_DEACTIVATED), paused by itself (SENDER_REFUSED, READERS_REFUSED), or reached nobody (ALL_REFUSED, NO_MAIL_SERVER). */
  failure: string | null;
  scheduledAt: Date | null;
  timeZone: string | null;
  startedAt: Date | null;
  sentAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  /** What you may do with it now. */
  can: CampaignAbilitiesDto;
}

export class CampaignDto extends CampaignSummaryDto {
  /** What it says as plain text: the text part, or made from the HTML where there is none. */
  message: string;
  htmlContent: string;
  textContent: string | null;
}

export class EmailQuotaDto {
  unlimited: boolean;
  /** In this month, less what was given back. */
  emailsSent: number;
  /** null when unlimited. */
  quotaLimit: number | null;
  /** null when unlimited. */
  remaining: number | null;
  /** Such as 2026-11, UTC. */
  monthYear: string;
  resetsAt: Date;
}

/** What is to be confirmed before sending. */
export class SendPreviewDto {
  totalMembers: number;
  audienceMembers: number;
  /** How many will get the mail. */
  recipientCount: number;
  /** Of the audience: have not agreed to mails. */
  withoutConsent: number;
  /** Of the audience: their address failed too often, they complained, or their account does not work. */
  unreachable: number;
  quota: EmailQuotaDto;
  /** The quota covers all of them. */
  fitsQuota: boolean;
  fromName: string;
  /** Where answers go; null when you have no verified address. */
  replyTo: string | null;
  /** A postal address will stand in the mail; the law of many countries asks for one. */
  hasPostalAddress: boolean;
}

export class AudienceQueryDto {
  @ApiProperty({ enum: audiences })
  @Optional()
  @AudienceRule()
  targetAudience?: TargetAudience;
}
