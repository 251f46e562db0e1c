import { campaignAbilities, type CampaignAbilities } from './campaign.policy.js';
import type { CampaignKind, CampaignStatus } from './entities/campaign.entity.js';

function allowed(status: CampaignStatus, { kind = 'campaign' as CampaignKind, failedCount = 0 } = {}): string[] {
  const abilities: CampaignAbilities = campaignAbilities({ kind, status, failedCount });
  return Object.entries(abilities).flatMap(([name, may]) => (may ? [name] : []));
}

describe('what an owner may do with a campaign', () => {
  it.each<[CampaignStatus, string[]]>([
    ['draft', ['edit', 'send', 'schedule', 'delete']],
    ['scheduled', ['unschedule']],
    ['sending', ['pause', 'cancel', 'seeReport']],
    ['paused', ['resume', 'cancel', 'seeReport']],
    ['sent', ['seeReport']],
    ['cancelled', ['seeReport']],
    ['failed', ['delete']],
  ])('that is %s: %j', (status, abilities) => {
    expect(allowed(status)).toEqual(abilities);
  });

  it('sends again to those whose mail failed, once it has ended', () => {
    expect(allowed('sent', { failedCount: 1 })).toContain('retryFailed');
    expect(allowed('cancelled', { failedCount: 1 })).toContain('retryFailed');
    expect(allowed('sending', { failedCount: 1 })).not.toContain('retryFailed');
  });

  it('neither sends nor deletes the welcome mail of a zone by hand', () => {
    const kind = 'welcome';
    for (const status of ['draft', 'failed'] as const) {
      for (const ability of ['edit', 'send', 'schedule', 'delete']) {
        expect(allowed(status, { kind })).not.toContain(ability);
      }
    }
  });
});
