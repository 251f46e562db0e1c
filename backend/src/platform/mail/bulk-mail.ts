/** One whole mail of many. */
export interface BulkMail {
  /** One plain address. */
  readonly to: string;
  readonly fromName: string;
  readonly replyTo: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly messageId: string;
  readonly headers: Record<string, string>;
}
