/** Returns the path of a file's thumbnail. The version makes browsers load the image of a replaced file. */
export const thumbnailUrlOf = ({ id, version }: { readonly id: number; readonly version: number }): string =>
  `/api/files/${id}/thumbnail${version > 1 ? `?v=${version}` : ''}`;
