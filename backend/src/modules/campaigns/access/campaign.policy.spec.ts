import { campaignAbilities, canReadReportOfDeletedZone } from './campaign.policy.js';
import type { CampaignKind, CampaignStatus } from '../entities/campaign.entity.js';

function allowed(
  status: CampaignStatus,
  { kind = 'campaign' as CampaignKind, failedCount = 0, keptCount = 0, recipientCount = 0 } = {},
): string[] {
  const abilities = campaignAbilities({ kind, status, failedCount, keptCount, recipientCount });
  return Object.entries(abilities).flatMap(([name, may]) => (may ? [name] : []));
}

describe('a campaign whose zone is gone', () => {
  it('is there to be read, by whoever sent it', () => {
    const abilities = campaignAbilities({
      ...{ kind: 'campaign', status: 'sent', failedCount: 3, keptCount: 0, recipientCount: 9, isZoneDeleted: true },
    });
    expect(Object.entries(abilities).filter(([, may]) => may)).toEqual([['seeReport', true]]);
    expect([canReadReportOfDeletedZone({ sentById: 4 }, 4), canReadReportOfDeletedZone({ sentById: 4 }, 5)]).toEqual([
      true,
      false,
    ]);
  });
});

describe('what an owner may do with a campaign', () => {
  it.each<[CampaignStatus, string[]]>([
    ['draft', ['edit', 'send', 'schedule', 'delete']],
    ['scheduled', ['unschedule']],
    ['sending', ['pause', 'cancel', 'seeReport']],
    ['paused', ['resume', 'cancel', 'seeReport']],
    ['sent', ['seeReport']],
    ['cancelled', ['seeReport']],
    ['failed', ['edit', 'send', 'schedule', 'delete']],
  ])('that is %s: %j', (status, abilities) => {
    expect(allowed(status)).toEqual(abilities);
  });

  it('sends again to those whose mail failed, once it has ended', () => {
    expect(allowed('sent', { failedCount: 1 })).toContain('retryFailed');
    expect(allowed('cancelled', { failedCount: 1 })).toContain('retryFailed');
    expect(allowed('sending', { failedCount: 1 })).not.toContain('retryFailed');
  });

  it('shows what came of one that was refused as a whole, and sends it again to those, not anew', () => {
    const refused = allowed('failed', { failedCount: 5, recipientCount: 5 });
    expect(refused).toEqual(['retryFailed', 'seeReport']);
  });

  it('sends what was kept while no mail server was set, once its owner asks for it', () => {
    expect(allowed('failed', { keptCount: 5, recipientCount: 5 })).toEqual(['retryFailed', 'seeReport']);
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
