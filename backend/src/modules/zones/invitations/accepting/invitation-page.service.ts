import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MINUTE } from '../../../../platform/clock/clock.js';
import { type RateRule, RateLimitService } from '../../../../platform/http/limits/rate-limit.service.js';
import { PrerenderRegistry } from '../../../../platform/http/page/prerender-registry.js';
import { InvitationReaderService } from '../invitation-reader.service.js';

/** Of pages of invitations; beyond it they come with 200, and their program asks. */
const PAGE_LIMIT: RateRule = { name: 'invitation-page-ip', limit: 300, window: MINUTE };

/** The page of an invitation answers with the status that the API gives to its link. It shows nothing by itself. */
@Injectable()
export class InvitationPageService implements OnModuleInit {
  constructor(
    private readonly invitationReader: InvitationReaderService,
    private readonly limits: RateLimitService,
    private readonly pages: PrerenderRegistry,
  ) {}

  onModuleInit(): void {
    this.pages.registerStatusOnly({
      path: /^\/invite\/([\w-]+)\/?$/,
      check: async (token, network) => {
        await this.limits.consume(PAGE_LIMIT, network);
        return this.invitationReader.findByToken(token);
      },
    });
  }
}
