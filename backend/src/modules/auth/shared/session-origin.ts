/** Where a request comes from. */
export interface SessionOrigin {
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  /** The id in the device cookie; a sign-in makes it a known device. */
  readonly device?: string | null;
}
