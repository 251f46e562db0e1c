import type { Schema } from '../../shared/api/client';

/** What a link leads to, of either kind, as the page shows it. Null: not told, or not limited. */
export interface JoinTarget {
  readonly name: string;
  readonly description: string | null;
  readonly owner: Schema<'PublicZoneOwnerDto'>;
  readonly fileCount: number | null;
  readonly memberCount: number | null;
  /** Names in it; none where the owner or a password keeps them. */
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

/** A public link has no end, no number of uses and no password. */
export function fromPublicZone(zone: Schema<'PublicZoneDto'>): JoinTarget {
  return { ...zone, requiresPassword: false, expiresAt: null, remainingUses: null, membershipDays: null };
}

export function fromTemporaryLink(link: Schema<'TemporaryLinkInfoDto'>): JoinTarget {
  const { zoneName: name, zoneDescription: description, ...rest } = link;
  return { ...rest, name, description };
}

/** What is sent to join. */
export interface JoinRequest {
  readonly email: string;
  readonly emailConsent: boolean;
  /** Only where the link asks for one. */
  readonly password?: string;
}

export type SubmitJoin = (request: JoinRequest) => Promise<Schema<'JoinAnswerDto'>>;

/** Which kind of link leads here. */
export type LinkKind = 'public' | 'temporary';
