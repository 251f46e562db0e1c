import type { Schema } from '../src/shared/api/client';

type Zone = Schema<'ZoneDto'>;

const memberAbilities = {
  read: true,
  manageFiles: false,
  emptyTrash: false,
  invite: false,
  seeMembers: false,
  manageMembers: false,
  share: false,
  manageMirrors: false,
  sendCampaigns: false,
  editSettings: false,
  delete: false,
  leave: true,
};
const allAbilities = Object.fromEntries(Object.keys(memberAbilities).map((name) => [name, true])) as Zone['can'];

/** A zone that the signed-in user owns; `changes` override single fields. */
export function makeZone(changes: Partial<Zone> = {}): Zone {
  return {
    id: 7,
    name: 'Watercolour course',
    description: 'Twelve lessons',
    ownerId: 1,
    type: 'public',
    isPrivate: false,
    isOwner: true,
    isActive: true,
    isFavorite: false,
    autoJoin: true,
    requiresEmailOptin: true,
    showFiles: true,
    versionsKept: 10,
    versionsDays: null,
    recordsReading: true,
    maxFileBytes: 100 * 2 ** 20,
    publicLink: 'abc123',
    fileCount: 3,
    folderCount: 1,
    totalBytes: 0,
    memberCount: 12,
    memberRole: 'owner',
    memberExpiresAt: null,
    can: { ...allAbilities, leave: false },
    createdAt: '2026-01-05T10:00:00.000Z',
    version: 1,
    updatedAt: '2026-11-20T10:00:00.000Z',
    ...changes,
  };
}

/** The same zone as a plain member sees it. */
export function makeForeignZone(changes: Partial<Zone> = {}): Zone {
  return makeZone({
    isOwner: false,
    ownerId: 2,
    memberRole: 'member',
    publicLink: null,
    can: memberAbilities,
    ...changes,
  });
}
