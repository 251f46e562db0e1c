export class MessageDto {
  /** Human-readable, in the language of the request. */
  message: string;
}

export class CodeSentDto extends MessageDto {
  /** True if the email server isn't accepting emails at the moment, so the code arrives later. */
  mailsDelayed: boolean;
}

export class AvailabilityDto {
  available: boolean;
  /** Human-readable, in the language of the request. */
  message: string;
}
