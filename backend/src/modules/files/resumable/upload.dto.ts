/** An upload that can be resumed. */
export class ResumableUploadDto {
  id: string;
  /** Where it is resumed. */
  location: string;
  name: string;
  zoneId: number;
  folderId: number | null;
  /** Bytes announced. */
  length: number;
  /** Bytes stored. */
  received: number;
  /** The file that it has become; null while it is under way. */
  fileId: number | null;
  createdAt: Date;
  /** When it is given up, if nobody goes on with it. */
  expiresAt: Date;
}
