import type { ZoneAbilitiesDto } from '../dto/zone.dto.js';
import type { ZoneRole } from '../entities/zone-member.entity.js';

export type ZoneAbility = keyof ZoneAbilitiesDto;

/** The rights of a role; `null` is somebody who is not in the zone. The admin flag of the platform gives none. */
export function zoneAbilities(role: ZoneRole | null): ZoneAbilitiesDto {
  const isOwner = role === 'owner';
  const isManager = isOwner || role === 'admin';
  return {
    read: role !== null,
    manageFiles: isManager,
    emptyTrash: isOwner,
    invite: isManager,
    seeMembers: isManager,
    manageMembers: isOwner,
    share: isOwner,
    manageMirrors: isOwner,
    sendCampaigns: isOwner,
    editSettings: isOwner,
    delete: isOwner,
    leave: role !== null && !isOwner,
  };
}
