import { ApiProperty } from '@nestjs/swagger';

export class PlanCountDto {
  plan: string;
  people: number;
}

export class RevenueDto {
  /** "2026-11", UTC. */
  month: string;
  /** ISO 4217. */
  currency: string;
  /** In the smallest unit of the currency. */
  amount: number;
}

export class SubscriptionMonthDto {
  /** "2026-11", UTC. */
  month: string;
  /** Subscriptions that started and ended. */
  started: number;
  ended: number;
  /** Active subscriptions at the start of the month. */
  atStart: number;
}

/** Revenue and subscriptions. */
export class BillingFiguresDto {
  @ApiProperty({ type: [PlanCountDto] })
  plans: PlanCountDto[];
  /** The last twelve months, without months without payments. */
  @ApiProperty({ type: [RevenueDto] })
  revenue: RevenueDto[];
  /** The last twelve months, oldest first. */
  @ApiProperty({ type: [SubscriptionMonthDto] })
  months: SubscriptionMonthDto[];
}
