import { createContext, useContext } from 'react';

/** Queues files for upload to the root of a zone. The upload tray shows their progress. */
export type AddUploads = (zoneId: number, files: readonly File[]) => void;

const AddUploadsContext = createContext<AddUploads | null>(null);

export const AddUploadsProvider = AddUploadsContext.Provider;

/** Uploads files from any page inside the app layout. */
export function useAddUploads(): AddUploads {
  const addUploads = useContext(AddUploadsContext);
  if (!addUploads) throw new Error('Files can be uploaded only from pages inside the frame.');
  return addUploads;
}
