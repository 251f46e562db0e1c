import { hasCode } from '../../shared/api/api-error';

/** What the page does about a refusal to join. Decided by the code of the refusal, never by its words. */
export type JoinErrorType =
  'notFound' | 'expired' | 'maxUses' | 'alreadyMember' | 'consent' | 'full' | 'tooMany' | 'used' | 'fields' | 'other';

const errorTypeByCode: Record<string, JoinErrorType> = {
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

export function joinErrorTypeOf(error: unknown): JoinErrorType {
  for (const [code, errorType] of Object.entries(errorTypeByCode)) if (hasCode(error, code)) return errorType;
  return 'other';
}

/** The refusals that say that the link itself has come to its end. */
export const isLinkUnusable = (errorType: JoinErrorType): errorType is 'notFound' | 'expired' | 'maxUses' =>
  errorType === 'notFound' || errorType === 'expired' || errorType === 'maxUses';
