import type { Language } from '../../../platform/errors/app-error.js';
import { joinSentences, type VerificationDto } from '../dto/join.dto.js';

/** What the page is told of a mailed link or code: a sentence, and what is known beside it. */
export function verification(
  outcome: keyof typeof joinSentences,
  language: Language,
  more: Partial<VerificationDto>,
): VerificationDto {
  const message = joinSentences[outcome][language];
  const nothing = { inviteToken: null, redirectUrl: null, zoneName: null, email: null, requiresApproval: false };
  return { success: true, message, ...nothing, ...more };
}
