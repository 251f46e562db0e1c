export class MessageDto {
  /** For people, in the language of the request. */
  message: string;
}

export class CodeSentDto extends MessageDto {
  /** The mail server takes no mails at the moment: the code comes later. */
  mailsDelayed: boolean;
}

export class AvailabilityDto {
  available: boolean;
  /** For people, in the language of the request. */
  message: string;
}
