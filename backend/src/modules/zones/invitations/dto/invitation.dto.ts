/** An invitation that nobody has accepted yet. The token is in the mail and nowhere else. */
export class InvitationDto {
  id: number;
  zoneId: number;
  email: string;
  firstName: string | null;
  lastName: string | null;
  invitedById: number | null;
  /** Name or user name of whoever invited. */
  invitedBy: string | null;
  used: boolean;
  /** True when it ran out; it can be sent again. */
  isExpired: boolean;
  expiresAt: Date;
  createdAt: Date;
  /** When the mail went out; null while it waits. */
  sentAt: Date | null;
  /** When the mail was made while no mail server was set: it was kept here and went to nobody. Sending again sends it. */
  keptAt: Date | null;
  /** When the mail server refused the mail for good: the link does not work, and it can be sent again. */
  undeliverableAt: Date | null;
}
