/**
 * Requester of a confirmation code for `VerificationCodeService`: the session. A user may have several sessions, and
 * one opened by a forwarded email must not void the codes or use up the attempts of the others.
 */
export const sessionRequesterId = (sessionId: number | null): string => `session ${sessionId}`;
