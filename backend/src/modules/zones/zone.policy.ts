import type { ZoneRole } from './entities/zone-member.entity.js';

/** What the viewer may do in a zone. Sent to the page with the zone, which never decides by itself. */
export interface ZoneAbilities {
  /** See the zone, list, view and download its files. */
  read: boolean;
  /** Upload; make, rename, move and delete folders and files; use the trash. */
  manageFiles: boolean;
  invite: boolean;
  /** See who the members are; others see how many. */
  seeMembers: boolean;
  manageMembers: boolean;
  share: boolean;
  manageMirrors: boolean;
  sendCampaigns: boolean;
  editSettings: boolean;
  delete: boolean;
  leave: boolean;
}

export type ZoneAbility = keyof ZoneAbilities;

/** The rights of a role; `null` is somebody who is not in the zone. The admin flag of the platform gives none. */
export function zoneAbilities(role: ZoneRole | null): ZoneAbilities {
  const owner = role === 'owner';
  const helper = owner || role === 'admin';
  return {
    read: role !== null,
    manageFiles: helper,
    invite: helper,
    seeMembers: helper,
    manageMembers: owner,
    share: owner,
    manageMirrors: owner,
    sendCampaigns: owner,
    editSettings: owner,
    delete: owner,
    leave: role !== null && !owner,
  };
}
