import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsString } from 'class-validator';
import { say } from '../../../../platform/http/reading/validation.js';
import { inviteSentences, type InviteOutcome } from '../../shared/outcomes.js';

/** Addresses of one request. */
export const INVITE_LIMIT = 10_000;

const none = say('Please enter at least one valid email address.', 'Lütfen en az bir geçerli e-posta adresi girin.');

export class InviteDto {
  /** One address each; what is wrong with one is told in its result. */
  @ApiProperty({ type: [String], minItems: 1, maxItems: INVITE_LIMIT })
  @IsArray(none)
  @ArrayMaxSize(
    INVITE_LIMIT,
    say('Please invite at most 10,000 people at once.', 'Lütfen bir seferde en fazla 10.000 kişi davet edin.'),
  )
  @IsString({ each: true, ...none })
  @ArrayNotEmpty(none)
  emails: string[];
}

export class InviteResultDto {
  /** As it is kept, or as it was written when it is broken. */
  email: string;
  /** Whether a mail is on its way. */
  success: boolean;
  @ApiProperty({ enum: Object.keys(inviteSentences), enumName: 'InviteOutcome' })
  status: InviteOutcome;
  /** For people, in the language of the request. */
  message: string;
}

export class PlanRoomDto {
  /** People in the owner's audience, open invitations included. */
  used: number;
  /** null is without limit. */
  allowed: number | null;
}

export class DayOfMailsDto {
  /** Mails of this day (UTC) to people who are not members yet. */
  used: number;
  /** null is without limit. */
  allowed: number | null;
}

export class InviteAnswerDto {
  /** One an address, in the order given. */
  results: InviteResultDto[];
  /** How many were invited. */
  invited: number;
  /** To the owner, when some addresses found no place in the plan. */
  @ApiProperty({ type: PlanRoomDto, nullable: true })
  planLimit: PlanRoomDto | null;
  /** When some addresses were over what the owner may send today to people who are not members yet. */
  @ApiProperty({ type: DayOfMailsDto, nullable: true })
  dailyLimit: DayOfMailsDto | null;
  /** Seconds until more may be invited, when some were over the hourly rate; else 0. */
  retryAfter: number;
}
