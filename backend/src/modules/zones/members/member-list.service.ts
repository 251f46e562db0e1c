import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { decodeCursor } from '../../../platform/http/lists/cursor.js';
import { LIST_LIMIT, toPage, toWindow, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import type { MemberDto, MemberQueryDto, ZoneMembersDto } from '../dto/member.dto.js';
import { zoneErrors } from '../zones.errors.js';
import { MemberListRepository, type MemberRow, type ZoneMembersRow } from './member-list.repository.js';

/** Lists members, of one zone or of all zones in which the viewer may see them. */
@Injectable()
export class MemberListService {
  constructor(
    private readonly clock: Clock,
    private readonly members: MemberListRepository,
  ) {}

  /** Lists the members of a zone without the owner, filtered and sorted as requested. */
  async listMembers(zoneId: number, params: MemberQueryDto): Promise<Page<MemberDto>> {
    const { limit = LIST_LIMIT, offset } = params;
    const total = await this.members.countMembers(zoneId, params);
    const rows =
      offset === undefined
        ? await this.members.listMembers(zoneId, params, limit + 1)
        : await this.members.listWindow(zoneId, params, toWindow(offset, limit + 1, total));
    const page = toPage(rows, limit, total, ({ sortKey, id }) => [sortKey, id]);
    return { ...page, items: page.items.map((row) => this.toDto(row)) };
  }

  /**
   * Returns a member, expired or not.
   * @throws MEMBER_NOT_FOUND also for the owner
   */
  async findOne(zoneId: number, userId: number): Promise<MemberDto> {
    const row = await this.members.findMember(zoneId, userId);
    if (!row) throw zoneErrors.MEMBER_NOT_FOUND();
    return this.toDto(row);
  }

  /** Lists the zones in which the viewer may see the members, newest first, each with its newest members. */
  async listZones(viewerId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<ZoneMembersDto>> {
    const before = cursor ? decodeCursor(cursor, ['bigint'])[0] : Number.MAX_SAFE_INTEGER;
    const rows = await this.members.listZonesWithMembers(viewerId, before, limit + 1);
    const total = await this.members.countZonesWithMembers(viewerId);
    const page = toPage(rows, limit, total, ({ zoneId }) => [zoneId]);
    return { ...page, items: page.items.map(withDates) };
  }

  private toDto({
    sortKey: _,
    email,
    firstName,
    lastName,
    username,
    profileImageUrl,
    ...member
  }: MemberRow): MemberDto {
    const isExpired = member.expiresAt !== null && member.expiresAt <= this.clock.now();
    const user = { id: member.userId, email, firstName, lastName, username, profileImageUrl };
    return { ...member, isExpired, user };
  }
}

/** Converts the timestamps, which JSON returns as text. */
function withDates(row: ZoneMembersRow): ZoneMembersDto {
  const members = row.members.map((member) => ({
    ...member,
    createdAt: new Date(member.createdAt),
    expiresAt: member.expiresAt === null ? null : new Date(member.expiresAt),
  }));
  return { ...row, members };
}
