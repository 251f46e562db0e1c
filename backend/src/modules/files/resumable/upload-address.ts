/** Where uploads are addressed. */
export const TUS_PATH = '/api/uploads';

/** False for what cannot be the id of an upload, and is not looked for. */
export function isUploadId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
