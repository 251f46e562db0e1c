export class JoinRequestDto {
  id: number;
  userId: number;
  email: string;
  firstName: string | null;
  /** "." stands for no last name. */
  lastName: string | null;
  username: string | null;
  /** Whether the person agreed to the zone's mails. */
  hasConsented: boolean;
  createdAt: Date;
}
