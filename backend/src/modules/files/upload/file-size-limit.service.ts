import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import { formatBinarySize } from '../../../platform/text/byte-units.js';
import { getMaxFileBytes } from '../../plans/plan.policy.js';
import { PlanService } from '../../plans/plan.service.js';
import { fileErrors } from '../files.errors.js';

/** How large one file may be: the plan of the zone's owner decides, whoever uploads. */
@Injectable()
export class FileSizeLimitService {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly plans: PlanService,
  ) {}

  /** Maximum size in bytes that any plan allows in this installation. */
  get largest(): number {
    return Math.min(getMaxFileBytes('enterprise', false), this.config.maxFileBytes);
  }

  /**
   * Returns the maximum size in bytes of a file in the zones of this owner.
   * @param requestBytes limit of a file request; null for none
   */
  async getLimit(ownerId: number, requestBytes: number | null = null): Promise<number> {
    const { maxFileBytes } = await this.plans.getOwnerPlanIn(this.em.fork(), ownerId);
    return Math.min(maxFileBytes, this.config.maxFileBytes, requestBytes ?? Infinity);
  }
}

/** @throws FILE_TOO_LARGE if a file has more bytes than allowed */
export function assertFileSize(name: string, size: number, maxBytes: number): void {
  if (size > maxBytes) throw fileErrors.FILE_TOO_LARGE({ name, allowed: formatBinarySize(maxBytes) });
}
