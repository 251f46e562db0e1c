import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MINUTE } from '../../../../platform/clock/clock.js';
import { type RateRule, RateLimits } from '../../../../platform/http/limits/rate-limits.service.js';
import { PageFacts } from '../../../../platform/http/page/page-facts.js';
import { InvitationReader } from '../invitation-reader.service.js';

/** Of pages of invitations; beyond it they come with 200, and their program asks. */
const PAGE_LIMIT: RateRule = { name: 'invitation-page-ip', limit: 300, window: MINUTE };

/** The page of an invitation answers with the status that the API gives to its link. It shows nothing by itself. */
@Injectable()
export class InvitationPage implements OnModuleInit {
  constructor(
    private readonly invitations: InvitationReader,
    private readonly limits: RateLimits,
    private readonly pages: PageFacts,
  ) {}

  onModuleInit(): void {
    this.pages.registerLookedUp({
      path: /^\/invite\/([\w-]+)\/?$/,
      look: async (token, network) => {
        await this.limits.spend(PAGE_LIMIT, network);
        return this.invitations.find(token);
      },
    });
  }
}
