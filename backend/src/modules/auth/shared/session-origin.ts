/** Where a request comes from. */
export interface SessionOrigin {
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  /** The id in the browser's cookie of devices; a sign-in makes it a known one. */
  readonly device?: string | null;
}
