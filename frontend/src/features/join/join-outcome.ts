import { hasCode } from '../../shared/api/api-error';

/** What the page does about a refusal to join. Decided by the code of the refusal, never by its words. */
export type JoinRefusal = 'notFound' | 'alreadyMember' | 'consent' | 'full' | 'tooMany' | 'fields' | 'other';

const byCode: Record<string, JoinRefusal> = {
  LINK_NOT_FOUND: 'notFound',
  ALREADY_MEMBER: 'alreadyMember',
  CONSENT_REQUIRED: 'consent',
  ZONE_FULL: 'full',
  TOO_MANY_REQUESTS: 'tooMany',
  VALIDATION_FAILED: 'fields',
};

export function refusalOf(error: unknown): JoinRefusal {
  for (const [code, refusal] of Object.entries(byCode)) if (hasCode(error, code)) return refusal;
  return 'other';
}
