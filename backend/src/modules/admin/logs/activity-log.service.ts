import { Injectable } from '@nestjs/common';
import type { Language } from '../../../platform/errors/app-error.js';
import type { AdminPage } from '../../../platform/http/lists/admin-list.js';
import { ActivityService } from '../../activity/activity.service.js';
import { fullName } from '../../auth/entities/user.entity.js';
import type { AdminActivityDto } from '../dto/admin-lists.dto.js';
import type { LogQueryDto } from '../dto/list-query.dto.js';
import { ActivityLogRepository, type ActivityFilters, type ActivityRow } from './activity-log.repository.js';

/** The activity of all zones as text. */
@Injectable()
export class ActivityLogService {
  constructor(
    private readonly log: ActivityLogRepository,
    private readonly activity: ActivityService,
  ) {}

  /** Returns one page, newest first; `q` matches the acting user. */
  async listPage(dto: LogQueryDto, language: Language): Promise<AdminPage<AdminActivityDto>> {
    const { rows, total } = await this.log.findPage(dto);
    return { rows: rows.map((row) => this.toDto(row, language)), total };
  }

  /** Streams all matching entries, newest first. */
  async *streamAll(filters: ActivityFilters, language: Language): AsyncGenerator<AdminActivityDto> {
    for await (const row of this.log.streamAll(filters)) yield this.toDto(row, language);
  }

  /** Returns every activity type. */
  listTypes(): string[] {
    return [...this.activity.types];
  }

  private toDto(row: ActivityRow, language: Language): AdminActivityDto {
    const { id, type, params, userId, userEmail, firstName, lastName, createdAt } = row;
    const name = fullName({ firstName, lastName });
    const message = this.activity.formatMessage(type, params, name || userEmail, language);
    return { id, type, message, createdAt, timestamp: createdAt, userId, userEmail };
  }
}
