import { ApiProperty } from '@nestjs/swagger';
import { IsIn, ArrayMaxSize, ArrayNotEmpty, IsArray, IsInt, Max, Min } from 'class-validator';
import { ListQueryDto } from '../../../platform/http/lists/list.js';
import { Optional } from '../../../platform/http/reading/fields.js';
import { say } from '../../../platform/http/reading/validation.js';
import { deliveryStates, type DeliveryState } from '../entities/delivery.entity.js';
import { SendingProgressDto } from './campaign.dto.js';

export class SuppressedMemberDto {
  userId: number;
  email: string;
  @ApiProperty({ enum: ['failed', 'complaint', 'erased'] })
  reason: 'failed' | 'complaint' | 'erased';
  since: Date;
  canLift: boolean;
}

export class FailureDto {
  /** What the mail server answered, or why nothing was sent; addresses are left out. */
  reason: string;
  smtpCode: number | null;
  /** Whether the reader's address is why, or the sending; only the former counts against an address. */
  @ApiProperty({ enum: ['reader', 'sender'], nullable: true })
  fault: 'reader' | 'sender' | null;
  count: number;
}

export class LinkClicksDto {
  url: string;
  /** Recipients who clicked it, programs that follow links left out. */
  recipients: number;
  /** All clicks, programs that follow links left out. */
  clicks: number;
}

export class CampaignHourDto {
  /** The hour that begins then. */
  at: Date;
  delivered: number;
  /** Recipients who opened it for the first time. */
  opens: number;
  clicks: number;
}

/** Openings are estimates: programs open mails too, and pictures may be off. */
export class CampaignReportDto extends SendingProgressDto {
  name: string;
  subject: string;
  startedAt: Date | null;
  sentAt: Date | null;
  trackingEnabled: boolean;
  failures: FailureDto[];
  links: LinkClicksDto[];
  /** By the hour, hours without anything left out; the first 1,000. */
  overTime: CampaignHourDto[];
  /** Events that a program most likely caused; they count for nobody. */
  machineEvents: number;
}

export class DeliveryQueryDto extends ListQueryDto {
  @ApiProperty({ enum: deliveryStates })
  @Optional()
  @IsIn(deliveryStates, say('This state is not known', 'Bu durum bilinmiyor'))
  state?: DeliveryState;
}

export class DeliveryDto {
  id: number;
  userId: number | null;
  /** null once the person has deleted the account. */
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  @ApiProperty({ enum: deliveryStates })
  state: DeliveryState;
  attempts: number;
  smtpCode: number | null;
  reason: string | null;
  sentAt: Date | null;
  openedAt: Date | null;
  clickedAt: Date | null;
}

const wrong = say(
  'Please name members by their ids, at most 1,000',
  'Lütfen üyeleri kimlikleriyle, en çok 1.000 tane belirtin',
);

export class LiftSuppressionsDto {
  /** Whom to write to again; everybody whose address only failed, when left out. */
  @Optional()
  @IsArray(wrong)
  @ArrayNotEmpty(wrong)
  @ArrayMaxSize(1000, wrong)
  @IsInt({ each: true, ...wrong })
  @Min(1, { each: true, ...wrong })
  @Max(Number.MAX_SAFE_INTEGER, { each: true, ...wrong })
  userIds?: number[];
}

export class LiftedDto {
  /** How many get mails again; complaints and deleted accounts stay. */
  lifted: number;
}
