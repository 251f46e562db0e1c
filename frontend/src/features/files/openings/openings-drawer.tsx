import DownloadRounded from '@mui/icons-material/DownloadRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { FileDrawer } from '../components/file-drawer';
import type { StoredFile } from '../entries';
import { useOpenings, type Opening } from './use-openings';

/** Shows the owner of a file who opened it, in a drawer next to the list. */
export function OpeningsDrawer({ file, onClose }: { file: StoredFile | null; onClose: () => void }) {
  const { t } = useTranslation('files');
  return (
    <FileDrawer title={t('openings.title')} file={file} onClose={onClose}>
      {({ id }) => <OpeningsContent fileId={id} />}
    </FileDrawer>
  );
}

function OpeningsContent({ fileId }: { fileId: number }) {
  const { t } = useTranslation('files');
  const { openings, total, error, refetch, loadMore } = useOpenings(fileId);
  const format = useFormat();
  return (
    <>
      {error && !openings && <ErrorState title={t('openings.failed')} error={error} onRetry={refetch} />}
      {!openings && !error && <RowsSkeleton />}
      {openings?.length === 0 && <Typography color="textSecondary">{t('openings.nobody')}</Typography>}
      {openings && openings.length > 0 && (
        <>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
            <Typography sx={{ flex: 1 }}>
              {t('openings.people', { count: total, formatted: format.number(total) })}
            </Typography>
            <Button component="a" href={`/api/files/${fileId}/openings.csv`} download startIcon={<DownloadRounded />}>
              {t('openings.export')}
            </Button>
          </Box>
          <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {openings.map((opening) => (
              <OpeningRow key={opening.userId} opening={opening} />
            ))}
          </Box>
          {loadMore && <Button onClick={loadMore}>{t('openings.more')}</Button>}
        </>
      )}
    </>
  );
}

function OpeningRow({ opening }: { opening: Opening }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const { name, email, views, downloads, firstAt, lastAt } = opening;
  const [first, last] = [format.dateTime(firstAt), format.dateTime(lastAt)];
  const counts = [
    views > 0 && t('openings.views', { count: views, formatted: format.number(views) }),
    downloads > 0 && t('openings.downloads', { count: downloads, formatted: format.number(downloads) }),
  ];
  return (
    <Box component="li" sx={{ py: 3, overflowWrap: 'anywhere', '& + &': { borderTop: 1, borderColor: 'divider' } }}>
      <Typography variant="subtitle2">{name ?? email}</Typography>
      {name && (
        <Typography variant="body2" color="textSecondary">
          {email}
        </Typography>
      )}
      <Typography variant="body2">{counts.filter(Boolean).join(' · ')}</Typography>
      <Typography variant="caption" color="textSecondary" component="p">
        {first === last ? first : t('openings.since', { first, last })}
      </Typography>
    </Box>
  );
}
