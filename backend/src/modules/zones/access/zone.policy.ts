import type { ZoneAbilitiesDto } from '../dto/zone.dto.js';
import type { ZoneRole } from '../entities/zone-member.entity.js';

export type ZoneAbility = keyof ZoneAbilitiesDto;

/** The rights of a role; `null` is somebody who is not in the zone. The admin flag of the platform gives none. */
export function zoneAbilities(role: ZoneRole | null): ZoneAbilitiesDto {
  const owner = role === 'owner';
  const helper = owner || role === 'admin';
  return {
    read: role !== null,
    manageFiles: helper,
    emptyTrash: owner,
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
