import { Injectable } from '@nestjs/common';
import type { AdminPage } from '../../../platform/http/lists/admin-list.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { adminErrors } from '../admin.errors.js';
import { getUserAbilities, getUserState } from '../admin.policy.js';
import type { AdminUserDto } from '../dto/admin-user.dto.js';
import type { UserQueryDto } from '../dto/list-query.dto.js';
import { AdminUserRepository, type AdminUserRow, type UserFilters } from './admin-user.repository.js';

/** Users with what the viewer may do with each. */
@Injectable()
export class UserListService {
  constructor(private readonly users: AdminUserRepository) {}

  /** Returns one page; `q` matches address, username and name. */
  async listPage(dto: UserQueryDto, viewer: Viewer): Promise<AdminPage<AdminUserDto>> {
    const { rows, total } = await this.users.findPage(dto);
    return { rows: rows.map((row) => toDto(row, viewer)), total };
  }

  /** Streams all matching users, newest first. */
  async *streamAll(filters: UserFilters, viewer: Viewer): AsyncGenerator<AdminUserDto> {
    for await (const row of this.users.streamAll(filters)) yield toDto(row, viewer);
  }

  /** @throws USER_NOT_FOUND also for an account that its user has deleted */
  async getUser(id: number, viewer: Viewer): Promise<AdminUserDto> {
    const row = await this.users.findUser(id);
    if (!row) throw adminErrors.USER_NOT_FOUND();
    return toDto(row, viewer);
  }
}

const toDto = (row: AdminUserRow, viewer: Viewer): AdminUserDto => ({
  ...row,
  state: getUserState(row),
  can: getUserAbilities(viewer, row),
});
