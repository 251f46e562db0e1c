import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import type { SecurityEventKind } from '../../../platform/security-events/security-event-kinds.js';
import type { SecurityDayDto } from '../dto/admin-lists.dto.js';
import { SecurityEventListRepository } from './security-event-list.repository.js';

const DAYS_SHOWN = 30;

/** Security events by day. */
@Injectable()
export class SecurityDayService {
  constructor(
    private readonly events: SecurityEventListRepository,
    private readonly clock: Clock,
  ) {}

  /** Returns counts of the last 30 days (UTC), today last, including days without events. */
  async countByDay(): Promise<SecurityDayDto[]> {
    const today = this.clock.now();
    const days = Array.from({ length: DAYS_SHOWN }, (_, at) =>
      toDay(addMilliseconds(today, (at - DAYS_SHOWN + 1) * DAY)),
    );
    const rows = await this.events.countByDay(days[0]!);
    const found = new Map(rows.map((row) => [`${row.day} ${row.kind}`, row.count]));
    const countOf = (day: string, kind: SecurityEventKind) => found.get(`${day} ${kind}`) ?? 0;
    return days.map((day) => ({
      day,
      failedSignIns: countOf(day, 'sign-in-failed'),
      lockOuts: countOf(day, 'locked-out'),
      refusedWebhooks: countOf(day, 'webhook-refused'),
      newDevices: countOf(day, 'new-device'),
    }));
  }
}

const toDay = (at: Date) => at.toISOString().slice(0, 10);
