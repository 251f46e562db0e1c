import type { Language } from '../../../platform/errors/app-error.js';
import { joinSentences, type VerificationDto } from '../dto/join.dto.js';

/** What the page is told of a mailed link or code: a sentence, and what is known beside it. */
export function toVerificationResponse(
  outcome: keyof typeof joinSentences,
  language: Language,
  fields: Partial<VerificationDto>,
): VerificationDto {
  const message = joinSentences[outcome][language];
  const emptyFields = { inviteToken: null, redirectUrl: null, zoneName: null, email: null, requiresApproval: false };
  return { success: true, message, ...emptyFields, ...fields };
}
