/**
 * Who asked for a confirmation code, as `VerificationCodeService` tells askers apart: the session. Several sessions of one
 * person may be open, and one that a forwarded email opened must not void the codes or spend the tries of the others.
 */
export const sessionRequesterId = (sessionId: number | null): string => `session ${sessionId}`;
