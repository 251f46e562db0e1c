import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { Optional, Trimmed } from '../../../platform/http/reading/fields.js';
import { say } from '../../../platform/http/reading/validation.js';
import type { LeaveVia } from '../entities/zone-leave.entity.js';
import { MemberUserDto } from './member.dto.js';

export class LeaveZoneDto {
  /** Why, for the owner. */
  @Optional()
  @Trimmed()
  @MaxLength(500, say('Please use at most 500 characters', 'Lütfen en çok 500 karakter kullanın'))
  @IsString(say('The reason must be a text', 'Neden bir metin olmalıdır'))
  reason?: string;
}

export class LeftDto {
  zoneId: number;
  /** Of a public zone: it can be joined again by its link. A private one needs a new invitation. */
  isPublic: boolean;
}

/** Somebody who was in a zone and is not any more. */
export class LeaveDto {
  id: number;
  /** In the app, by a mail's link or button, by complaining about a mail, or removed by the owner. */
  @ApiProperty({ enum: ['app', 'link', 'complaint', 'removed'] })
  via: LeaveVia;
  /** What the person gave as the reason. */
  reason: string | null;
  joinedAt: Date;
  leftAt: Date;
  /** Null once the person's account is deleted. */
  @ApiProperty({ type: MemberUserDto, nullable: true })
  user: MemberUserDto | null;
}

export class UnsubscribeInfoDto {
  zoneName: string;
  isPublic: boolean;
  /** In the zone, or out of it, or the zone itself is not there any more. */
  @ApiProperty({ enum: ['member', 'left', 'gone'] })
  state: 'member' | 'left' | 'gone';
  /** Until when leaving can be taken back here; null when it cannot. */
  undoUntil: Date | null;
  /** Whether the zone's mails go to this person. */
  getsMails: boolean;
  /** Whether the mails can be stopped without leaving. */
  mayStayWithoutMails: boolean;
  /** The words of the consent, for agreeing to the mails here. */
  consentText: string;
}

export class ConsentStateDto {
  getsMails: boolean;
}
