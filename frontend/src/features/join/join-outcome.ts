import { hasCode } from '../../shared/api/api-error';

/** What the page does about a refusal to join. Decided by the code of the refusal, never by its words. */
export type JoinRefusal =
  'notFound' | 'expired' | 'maxUses' | 'alreadyMember' | 'consent' | 'full' | 'tooMany' | 'used' | 'fields' | 'other';

const byCode: Record<string, JoinRefusal> = {
  LINK_NOT_FOUND: 'notFound',
  LINK_EXPIRED: 'expired',
  LINK_MAX_USES: 'maxUses',
  ALREADY_MEMBER: 'alreadyMember',
  CONSENT_REQUIRED: 'consent',
  ZONE_FULL: 'full',
  TOO_MANY_REQUESTS: 'tooMany',
  LINK_ALREADY_USED: 'used',
  VALIDATION_FAILED: 'fields',
  LINK_PASSWORD_WRONG: 'fields',
};

export function refusalOf(error: unknown): JoinRefusal {
  for (const [code, refusal] of Object.entries(byCode)) if (hasCode(error, code)) return refusal;
  return 'other';
}

/** The refusals that say that the link itself has come to its end. */
export const isDead = (refusal: JoinRefusal): refusal is 'notFound' | 'expired' | 'maxUses' =>
  refusal === 'notFound' || refusal === 'expired' || refusal === 'maxUses';
