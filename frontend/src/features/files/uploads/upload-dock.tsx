import { Suspense, useEffect, type ComponentType } from 'react';
import { computeTotals, type UploadItem } from './sending/upload-item';
import { useUploadItems } from './sending/page-uploads';
import { useInterruptedUploads } from './use-interrupted-uploads';

/**
 * Shows the upload tray on all pages and warns before the tab is closed during an upload. `Tray` is loaded when there
 * is something to show.
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
