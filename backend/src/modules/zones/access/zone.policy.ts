import type { ZoneAbilitiesDto } from '../dto/zone.dto.js';
import type { ZoneRole } from '../entities/zone-member.entity.js';

export type ZoneAbility = keyof ZoneAbilitiesDto;

/** Returns the abilities of a role; `null` means not a member. Being a super admin of the platform grants none. */
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
