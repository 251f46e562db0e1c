/**
 * An object that a bucket receives in numbered parts. It doesn't exist until it is completed; sending a part again
 * replaces it.
 */
export interface Multipart {
  /** Key of the object. */
  readonly objectKey: string;
  /** The bucket's id of the multipart upload. */
  readonly remoteId: string;
}
