import { createContext, useContext } from 'react';

/** Puts files on their way to the top of a zone; what becomes of them is shown in the upload tray. */
export type AddUploads = (zoneId: number, files: readonly File[]) => void;

const AddUploadsContext = createContext<AddUploads | null>(null);

export const AddUploadsProvider = AddUploadsContext.Provider;

/** The way for any page inside the frame to upload files. */
export function useAddUploads(): AddUploads {
  const addUploads = useContext(AddUploadsContext);
  if (!addUploads) throw new Error('Files can be uploaded only from pages inside the frame.');
  return addUploads;
}
