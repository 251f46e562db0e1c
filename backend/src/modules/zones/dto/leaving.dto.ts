import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { OptionalField, Trim } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import type { LeaveMethod } from '../entities/zone-leave.entity.js';
import { MemberUserDto } from './member.dto.js';

export class LeaveZoneDto {
  /** Reason, shown to the owner. */
  @OptionalField()
  @Trim()
  @MaxLength(500, localized('Please use at most 500 characters', 'Lütfen en fazla 500 karakter kullanın'))
  @IsString(localized('The reason must be text', 'Neden bir metin olmalıdır'))
  reason?: string;
}

export class LeftDto {
  zoneId: number;
  /** A public zone can be rejoined with its link. A private zone needs a new invitation. */
  isPublic: boolean;
}

/** A former member. */
export class LeaveDto {
  id: number;
  /** In the app, by an email's link or button, by a spam complaint, or removed by the owner. */
  @ApiProperty({ enum: ['app', 'link', 'complaint', 'removed'] })
  via: LeaveMethod;
  /** The reason given by the person. */
  reason: string | null;
  joinedAt: Date;
  leftAt: Date;
  /** Null if the person's account was deleted. */
  @ApiProperty({ type: MemberUserDto, nullable: true })
  user: MemberUserDto | null;
}

export class UnsubscribeInfoDto {
  zoneName: string;
  isPublic: boolean;
  /** Whether the person is a member, has left, or the zone no longer exists. */
  @ApiProperty({ enum: ['member', 'left', 'gone'] })
  state: 'member' | 'left' | 'gone';
  /** Until when leaving can be undone; null if it can't. */
  undoUntil: Date | null;
  /** Whether this person receives the zone's emails. */
  getsMails: boolean;
  /** Whether emails can be stopped without leaving. */
  mayStayWithoutMails: boolean;
  /** The text of the consent to receive emails. */
  consentText: string;
}

export class ConsentStateDto {
  getsMails: boolean;
}
