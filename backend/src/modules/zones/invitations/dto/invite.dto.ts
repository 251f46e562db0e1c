import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsString } from 'class-validator';
import { localized } from '../../../../platform/http/parsing/validation.js';
import { inviteMessages, type InviteOutcome } from '../../shared/outcomes.js';

/** Maximum number of addresses per request. */
export const INVITE_LIMIT = 10_000;

const emailsMessage = localized(
  'Please enter at least one valid email address.',
  'Lütfen en az bir geçerli e-posta adresi girin.',
);

export class InviteDto {
  /** One email address per entry; errors are reported in its result. */
  @ApiProperty({ type: [String], minItems: 1, maxItems: INVITE_LIMIT })
  @IsArray(emailsMessage)
  @ArrayMaxSize(
    INVITE_LIMIT,
    localized('Please invite at most 10,000 people at once.', 'Lütfen bir seferde en fazla 10.000 kişi davet edin.'),
  )
  @IsString({ each: true, ...emailsMessage })
  @ArrayNotEmpty(emailsMessage)
  emails: string[];
}

export class InviteResultDto {
  /** The normalized address, or the original text if it's invalid. */
  email: string;
  /** Whether an email is being sent. */
  success: boolean;
  @ApiProperty({ enum: Object.keys(inviteMessages), enumName: 'InviteOutcome' })
  status: InviteOutcome;
  /** Human-readable, in the language of the request. */
  message: string;
}

export class PlanRoomDto {
  /** People in the owner's audience, including open invitations. */
  used: number;
  /** null means unlimited. */
  allowed: number | null;
}

export class DayOfMailsDto {
  /** Emails sent today (UTC) to people who aren't members yet. */
  used: number;
  /** null means unlimited. */
  allowed: number | null;
}

export class InviteAnswerDto {
  /** One result per address, in the order given. */
  results: InviteResultDto[];
  /** Number of invited people. */
  invited: number;
  /** For the owner: set if some addresses exceeded the plan's limit. */
  @ApiProperty({ type: PlanRoomDto, nullable: true })
  planLimit: PlanRoomDto | null;
  /** Set if some addresses exceeded the owner's daily limit of emails to people who aren't members yet. */
  @ApiProperty({ type: DayOfMailsDto, nullable: true })
  dailyLimit: DayOfMailsDto | null;
  /** Seconds until more people can be invited if the hourly limit was exceeded; otherwise 0. */
  retryAfter: number;
}
