import { zoneAbilities, type ZoneAbility } from './zone.policy.js';

const allowed = (role: Parameters<typeof zoneAbilities>[0]) =>
  Object.entries(zoneAbilities(role))
    .filter(([, may]) => may)
    .map(([ability]) => ability as ZoneAbility)
    .sort();

describe('Zone permissions', () => {
  it('grants non-members no permissions', () => {
    expect(allowed(null)).toEqual([]);
  });

  it('allows members to read and leave', () => {
    expect(allowed('member')).toEqual(['leave', 'read']);
  });

  it('allows zone admins to manage files, invite and see members', () => {
    expect(allowed('admin')).toEqual(['invite', 'leave', 'manageFiles', 'read', 'seeMembers']);
  });

  it('allows the owner everything but leaving', () => {
    expect(allowed('owner')).toEqual([
      'delete',
      'editSettings',
      'emptyTrash',
      'invite',
      'manageFiles',
      'manageMembers',
      'manageMirrors',
      'read',
      'seeMembers',
      'sendCampaigns',
      'share',
    ]);
  });
});
