import type { Schema } from '../../shared/api/client';

/** The target of a link of either kind, as the page shows it. Null means hidden or unlimited. */
export interface JoinTarget {
  readonly name: string;
  readonly description: string | null;
  readonly owner: Schema<'PublicZoneOwnerDto'>;
  readonly fileCount: number | null;
  readonly memberCount: number | null;
  /** Names of files in the zone; empty if the owner hides them or the link has a password. */
  readonly firstFiles: readonly Schema<'FirstFileDto'>[];
  readonly moreFiles: number;
  readonly autoJoin: boolean;
  readonly requiresEmailOptin: boolean;
  readonly requiresPassword: boolean;
  readonly expiresAt: string | null;
  readonly remainingUses: number | null;
  readonly membershipDays: number | null;
  readonly consentText: string;
}

/** A public link has no expiry, no limit of uses and no password. */
export function fromPublicZone(zone: Schema<'PublicZoneDto'>): JoinTarget {
  return { ...zone, requiresPassword: false, expiresAt: null, remainingUses: null, membershipDays: null };
}

export function fromTemporaryLink(link: Schema<'TemporaryLinkInfoDto'>): JoinTarget {
  const { zoneName: name, zoneDescription: description, ...rest } = link;
  return { ...rest, name, description };
}

/** The data sent to join. */
export interface JoinRequest {
  readonly email: string;
  readonly emailConsent: boolean;
  /** Only if the link has one. */
  readonly password?: string;
}

export type SubmitJoin = (request: JoinRequest) => Promise<Schema<'JoinAnswerDto'>>;

export type LinkKind = 'public' | 'temporary';
