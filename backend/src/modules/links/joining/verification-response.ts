import type { Language } from '../../../platform/errors/app-error.js';
import { joinMessages, type VerificationDto } from '../dto/join.dto.js';

/** Builds the response for an emailed link or code: a message and known details. */
export function toVerificationResponse(
  outcome: keyof typeof joinMessages,
  language: Language,
  fields: Partial<VerificationDto>,
): VerificationDto {
  const message = joinMessages[outcome][language];
  const emptyFields = { inviteToken: null, redirectUrl: null, zoneName: null, email: null, requiresApproval: false };
  return { success: true, message, ...emptyFields, ...fields };
}
