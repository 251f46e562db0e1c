import { IntersectionType } from '@nestjs/swagger';
import { TemporaryLinkDto } from './temporary-link.dto.js';

export class LinkCountryDto {
  /** Two letters (ISO 3166); null if unknown. */
  country: string | null;
  attempts: number;
  joins: number;
}

export class LinkJoinDto {
  id: number;
  /** Null if the person has no name or their account was deleted. */
  userName: string | null;
  userEmail: string | null;
  wasNewUser: boolean;
  joinedAt: Date;
}

export class LinkDayDto {
  /** A day in the time zone of the owner: 2026-05-01. */
  date: string;
  attempts: number;
  joins: number;
}

export class LinkOutcomeDto {
  /** `joined`, `asked` (address not confirmed yet), `waiting` (for the owner), or the error code. */
  outcome: string;
  attempts: number;
}

/** Statistics of a link. */
export class LinkFiguresDto {
  totalAttempts: number;
  successfulJoins: number;
  /** Joins of people who had no account before. */
  newUsers: number;
  existingUsers: number;
  /** Most attempts first. */
  countries: LinkCountryDto[];
  outcomes: LinkOutcomeDto[];
  /** The latest ten. */
  recentJoins: LinkJoinDto[];
  /** The last 30 days, without days without activity. */
  overTime: LinkDayDto[];
}

/** A link with its statistics. */
export class LinkAnalyticsDto extends IntersectionType(TemporaryLinkDto, LinkFiguresDto) {}
