/** A sign-in on one device. */
export class SessionDto {
  id: number;
  /** Where it was opened; null when unknown. */
  ipAddress: string | null;
  /** What the browser said it is; null when it said nothing. */
  userAgent: string | null;
  /** The one that asks. */
  current: boolean;
  createdAt: Date;
  /** To the hour. */
  lastSeenAt: Date;
  expiresAt: Date;
}
