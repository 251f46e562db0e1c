import { Suspense, useEffect, type ComponentType } from 'react';
import { computeTotals, type UploadItem } from './sending/upload-item';
import { useUploadItems } from './sending/page-uploads';
import { useInterruptedUploads } from './use-interrupted-uploads';

/**
 * The place of the upload tray in the layout, above every page. `Tray` is loaded when there is something to show in it.
 */
export function UploadDock({ Tray }: { Tray: ComponentType<{ items: readonly UploadItem[] }> }) {
  const items = useUploadItems();
  useInterruptedUploads();
  const { pending, uploading } = computeTotals(items);
  const isUploading = pending + uploading > 0;
  useEffect(() => {
    if (!isUploading) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isUploading]);

  if (items.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <Tray items={items} />
    </Suspense>
  );
}
