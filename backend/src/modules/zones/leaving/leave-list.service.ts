import { Injectable } from '@nestjs/common';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import type { LeaveDto } from '../dto/leaving.dto.js';
import { LeaveRepository } from './leave.repository.js';

/** Lists the people who left a zone, for its owner. */
@Injectable()
export class LeaveListService {
  constructor(private readonly leaves: LeaveRepository) {}

  /** Newest first; undone leaves are excluded. */
  async list(zoneId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<LeaveDto>> {
    const total = await this.leaves.countLeaves(zoneId);
    const leaves = await this.leaves.listLeaves(zoneId, limit + 1, cursor);
    const rows = leaves.map(({ id, via, reason, joinedAt, leftAt, userId, email, ...names }) => {
      const leave = { id, via, joinedAt, leftAt };
      if (userId === null || email === null) return { ...leave, reason: null, user: null };
      return { ...leave, reason, user: { id: userId, email, ...names } };
    });
    return toPage(rows, limit, total, ({ leftAt, id }) => [leftAt.toISOString(), id]);
  }
}
