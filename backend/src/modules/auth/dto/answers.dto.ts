export class MessageDto {
  /** For people, in the language of the request. */
  message: string;
}

export class AvailabilityDto {
  available: boolean;
  /** For people, in the language of the request. */
  message: string;
}
