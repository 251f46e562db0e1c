import { zoneAbilities, type ZoneAbility } from './zone.policy.js';

const allowed = (role: Parameters<typeof zoneAbilities>[0]) =>
  Object.entries(zoneAbilities(role))
    .filter(([, may]) => may)
    .map(([ability]) => ability as ZoneAbility)
    .sort();

describe('what a role may do in a zone', () => {
  it('nobody who is not in it: nothing', () => {
    expect(allowed(null)).toEqual([]);
  });

  it('a member reads and may leave', () => {
    expect(allowed('member')).toEqual(['leave', 'read']);
  });

  it('a zone admin keeps the files, brings people in and sees who is there', () => {
    expect(allowed('admin')).toEqual(['invite', 'leave', 'manageFiles', 'read', 'seeMembers']);
  });

  it('the owner does everything but leave', () => {
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
