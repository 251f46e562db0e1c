import { useTranslation } from 'react-i18next';
import { lazyComponent } from '../../../shared/ui/lazy-component';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { FileDrawer } from '../components/file-drawer';
import type { StoredFile } from '../entries';

const ReadingFigures = lazyComponent(
  () => import('./reading-figures').then((m) => m.ReadingFigures),
  () => <RowsSkeleton />,
);

/** Shows the owner of a document how its members read it, in a drawer next to the list. */
export function ReadingDrawer({ file, onClose }: { file: StoredFile | null; onClose: () => void }) {
  const { t } = useTranslation('files');
  return (
    <FileDrawer title={t('reading.title')} file={file} onClose={onClose}>
      {({ id }) => <ReadingFigures fileId={id} />}
    </FileDrawer>
  );
}
