import { hasCode } from '../../shared/api/api-error';

/** How the page handles a join error. Determined by the error code, never by its message. */
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

/** Errors after which the link can no longer be used. */
export const isLinkUnusable = (errorType: JoinErrorType): errorType is 'notFound' | 'expired' | 'maxUses' =>
  errorType === 'notFound' || errorType === 'expired' || errorType === 'maxUses';
