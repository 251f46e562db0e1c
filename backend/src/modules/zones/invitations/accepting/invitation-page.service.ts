import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MINUTE } from '../../../../platform/clock/clock.js';
import { type RateRule, RateLimitService } from '../../../../platform/http/limits/rate-limit.service.js';
import { PrerenderRegistry } from '../../../../platform/http/page/prerender-registry.js';
import { InvitationListService } from '../invitation-list.service.js';

/**
 * Limit for invitation pages per network. Beyond it pages are served with 200 without a lookup, and the app requests
 * the invitation.
 */
const PAGE_LIMIT: RateRule = { name: 'invitation-page-ip', limit: 300, window: MINUTE };

/**
 * Serves the invitation page with the HTTP status that the API returns for its token. It renders no invitation data.
 */
@Injectable()
export class InvitationPageService implements OnModuleInit {
  constructor(
    private readonly invitationList: InvitationListService,
    private readonly limits: RateLimitService,
    private readonly pages: PrerenderRegistry,
  ) {}

  onModuleInit(): void {
    this.pages.registerStatusOnly({
      path: /^\/invite\/([\w-]+)\/?$/,
      check: async (token, network) => {
        await this.limits.consume(PAGE_LIMIT, network);
        return this.invitationList.findByToken(token);
      },
    });
  }
}
