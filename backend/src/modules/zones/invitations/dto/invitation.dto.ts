/** An open invitation. Its token is only in the email. */
export class InvitationDto {
  id: number;
  zoneId: number;
  email: string;
  firstName: string | null;
  lastName: string | null;
  invitedById: number | null;
  /** Name or username of the inviter. */
  invitedBy: string | null;
  used: boolean;
  /** True if it has expired; it can be resent. */
  isExpired: boolean;
  expiresAt: Date;
  createdAt: Date;
  /** When the email was sent; null while it waits. */
  sentAt: Date | null;
  /**
   * Set if the email was created without an email server: it was kept here and not sent. Resend the invitation to send
   * it.
   */
  keptAt: Date | null;
  /** When the email permanently bounced: the link doesn't work, and the invitation can be resent. */
  undeliverableAt: Date | null;
}
