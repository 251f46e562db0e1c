import { assertAbility, assertUnchanged, campaignAbilities, canReadReportOfDeletedZone } from './campaign.policy.js';
import type { CampaignKind, CampaignStatus } from '../entities/campaign.entity.js';

function allowed(
  status: CampaignStatus,
  { kind = 'campaign' as CampaignKind, failedCount = 0, keptCount = 0, recipientCount = 0 } = {},
): string[] {
  const abilities = campaignAbilities({ kind, status, failedCount, keptCount, recipientCount });
  return Object.entries(abilities).flatMap(([name, may]) => (may ? [name] : []));
}

describe('Campaign whose zone is deleted', () => {
  it('can be read by its sender only', () => {
    const abilities = campaignAbilities({
      kind: 'campaign',
      status: 'sent',
      failedCount: 3,
      keptCount: 0,
      recipientCount: 9,
      isZoneDeleted: true,
    });
    expect(Object.entries(abilities).filter(([, may]) => may)).toEqual([['seeReport', true]]);
    expect([canReadReportOfDeletedZone({ sentById: 4 }, 4), canReadReportOfDeletedZone({ sentById: 4 }, 5)]).toEqual([
      true,
      false,
    ]);
  });
});

describe('campaignAbilities', () => {
  it.each<[CampaignStatus, string[]]>([
    ['draft', ['edit', 'send', 'schedule', 'delete']],
    ['scheduled', ['unschedule']],
    ['sending', ['pause', 'cancel', 'seeReport']],
    ['paused', ['resume', 'cancel', 'seeReport']],
    ['sent', ['seeReport']],
    ['cancelled', ['seeReport']],
    ['failed', ['edit', 'send', 'schedule', 'delete']],
  ])('returns the abilities for the status %s: %j', (status, abilities) => {
    expect(allowed(status)).toEqual(abilities);
  });

  it('allows retrying failed emails once the campaign has ended', () => {
    expect(allowed('sent', { failedCount: 1 })).toContain('retryFailed');
    expect(allowed('cancelled', { failedCount: 1 })).toContain('retryFailed');
    expect(allowed('sending', { failedCount: 1 })).not.toContain('retryFailed');
  });

  it('allows the report and a retry of a fully rejected campaign, but not a new start', () => {
    const rejected = allowed('failed', { failedCount: 5, recipientCount: 5 });
    expect(rejected).toEqual(['retryFailed', 'seeReport']);
  });

  it('allows the owner to send emails on hold', () => {
    expect(allowed('failed', { keptCount: 5, recipientCount: 5 })).toEqual(['retryFailed', 'seeReport']);
  });

  it('does not allow sending or deleting a welcome email', () => {
    const kind = 'welcome';
    for (const status of ['draft', 'failed'] as const) {
      for (const ability of ['edit', 'send', 'schedule', 'delete']) {
        expect(allowed(status, { kind })).not.toContain(ability);
      }
    }
  });
});

describe('assertAbility', () => {
  const campaign = { kind: 'campaign', status: 'sending', failedCount: 0, keptCount: 0, recipientCount: 3 } as const;

  it.each([
    ['send', campaign, 'CAMPAIGN_NOT_DRAFT'],
    ['delete', campaign, 'CAMPAIGN_NOT_DRAFT'],
    ['resume', campaign, 'CAMPAIGN_STATE'],
    ['retryFailed', campaign, 'NOTHING_FAILED'],
    ['retryFailed', { ...campaign, failedCount: 1 }, 'CAMPAIGN_STATE'],
    ['pause', null, 'CAMPAIGN_NOT_FOUND'],
  ] as const)('rejects %s of %j with %s', (ability, of, code) => {
    expect(() => assertAbility(of, ability)).toThrow(expect.objectContaining({ code }));
  });

  it('accepts what the state allows', () => {
    expect(() => assertAbility(campaign, 'pause')).not.toThrow();
  });
});

describe('assertUnchanged', () => {
  const updatedAt = new Date('2026-01-01T00:00:00.000Z');

  it('rejects a draft that was modified since it was loaded', () => {
    const check = () => assertUnchanged({ updatedAt }, '2025-12-31T23:59:59.999Z');
    expect(check).toThrow(expect.objectContaining({ code: 'CAMPAIGN_CHANGED' }));
  });

  it('accepts the current draft, and any if the client states no version', () => {
    for (const seen of [updatedAt.toISOString(), undefined])
      expect(() => assertUnchanged({ updatedAt }, seen)).not.toThrow();
  });
});
