import { ApiProperty } from '@nestjs/swagger';
import { IsIn, ArrayMaxSize, ArrayNotEmpty, IsArray, IsInt, Max, Min } from 'class-validator';
import { ListQueryDto } from '../../../platform/http/lists/list.js';
import { OptionalField } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';
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
  /** The email server's answer, or why nothing was sent, without email addresses. */
  reason: string;
  smtpCode: number | null;
  /** Whether the recipient's address or the sender is the cause; only the former counts as a bounce. */
  @ApiProperty({ enum: ['reader', 'sender'], nullable: true })
  fault: 'reader' | 'sender' | null;
  count: number;
}

export class LinkClicksDto {
  url: string;
  /** Recipients who clicked it, without automatic clicks. */
  recipients: number;
  /** All clicks, without automatic ones. */
  clicks: number;
}

export class CampaignHourDto {
  /** Start of the hour. */
  at: Date;
  delivered: number;
  /** Recipients who opened it for the first time. */
  opens: number;
  clicks: number;
}

/** Opens are estimates: programs open emails too, and images may be blocked. */
export class CampaignReportDto extends SendingProgressDto {
  name: string;
  subject: string;
  startedAt: Date | null;
  sentAt: Date | null;
  trackingEnabled: boolean;
  failures: FailureDto[];
  links: LinkClicksDto[];
  /** By hour, without hours without activity; at most 1,000. */
  overTime: CampaignHourDto[];
  /** Events most likely caused by programs; not included in other figures. */
  machineEvents: number;
}

export class DeliveryQueryDto extends ListQueryDto {
  @ApiProperty({ enum: deliveryStates })
  @OptionalField()
  @IsIn(deliveryStates, localized('Unknown state', 'Bilinmeyen durum'))
  state?: DeliveryState;
}

export class DeliveryDto {
  id: number;
  userId: number | null;
  /** null if the person deleted their account. */
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

const userIdsMessage = localized(
  'Please give a list of at most 1,000 member ids',
  'Lütfen en fazla 1.000 üye kimliğinden oluşan bir liste verin',
);

export class LiftSuppressionsDto {
  /** People to send to again. Default: everyone whose address only bounced. */
  @OptionalField()
  @IsArray(userIdsMessage)
  @ArrayNotEmpty(userIdsMessage)
  @ArrayMaxSize(1000, userIdsMessage)
  @IsInt({ each: true, ...userIdsMessage })
  @Min(1, { each: true, ...userIdsMessage })
  @Max(Number.MAX_SAFE_INTEGER, { each: true, ...userIdsMessage })
  userIds?: number[];
}

export class LiftedDto {
  /** Number of people who receive emails again, without spam complaints and deleted accounts. */
  lifted: number;
}
