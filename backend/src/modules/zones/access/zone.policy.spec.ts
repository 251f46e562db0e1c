import { zoneAbilities, type ZoneAbility } from './zone.policy.js';

const allowed = (role: Parameters<typeof zoneAbilities>[0]) =>
  Object.entries(zoneAbilities(role))
    .filter(([, may]) => may)
    .map(([ability]) => ability as ZoneAbility)
    .sort();

describe('Zone permissions', () => {
  it('of a non-member are empty', () => {
    expect(allowed(null)).toEqual([]);
  });

  it('of a member are to read and leave', () => {
    expect(allowed('member')).toEqual(['leave', 'read']);
  });

  it('of a zone admin include managing files, inviting and seeing members', () => {
    expect(allowed('admin')).toEqual(['invite', 'leave', 'manageFiles', 'read', 'seeMembers']);
  });

  it('of the owner include everything but leaving', () => {
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
