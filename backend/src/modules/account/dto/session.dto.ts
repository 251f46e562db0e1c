/** A session: a sign-in on one device. */
export class SessionDto {
  id: number;
  /** IP address of the sign-in; null if unknown. */
  ipAddress: string | null;
  /** The browser's user agent; null if it sent none. */
  userAgent: string | null;
  /** True for the session of this request. */
  current: boolean;
  createdAt: Date;
  /** Rounded to the hour. */
  lastSeenAt: Date;
  expiresAt: Date;
}
