import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DownloadRounded from '@mui/icons-material/DownloadRounded';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../../shared/format/duration';
import { useFormat, useLanguage } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { useReaders, type FileReader } from './use-readers';

/** Who read a file, how far, and for how long. */
export function ReadersList({ fileId, pageCount }: { fileId: number; pageCount: number | null }) {
  const { t } = useTranslation('files');
  const titleId = useId();
  const { readers, error, refetch, loadMore } = useReaders(fileId);
  return (
    <section aria-labelledby={titleId}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
        <Typography id={titleId} variant="h3" sx={{ flex: 1 }}>
          {t('reading.whoRead')}
        </Typography>
        <Button component="a" href={`/api/files/${fileId}/reading.csv`} download startIcon={<DownloadRounded />}>
          {t('openings.export')}
        </Button>
      </Box>
      {error && !readers && <ErrorState title={t('reading.readersFailed')} error={error} onRetry={refetch} />}
      {!readers && !error && <RowsSkeleton />}
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {readers?.map((reader) => (
          <ReaderRow key={reader.userId} reader={reader} pageCount={pageCount} />
        ))}
      </Box>
      {loadMore && <Button onClick={loadMore}>{t('openings.more')}</Button>}
    </section>
  );
}

function ReaderRow({ reader, pageCount }: { reader: FileReader; pageCount: number | null }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const language = useLanguage();
  const { name, email, ms, pagesRead, lastPage, firstAt, lastAt, linkName } = reader;
  const [first, last] = [format.dateTime(firstAt), format.dateTime(lastAt)];
  const figures = [
    pageCount === null
      ? t('reading.pagesRead', { count: pagesRead, formatted: format.number(pagesRead) })
      : t('reading.progress', {
          count: pageCount,
          read: format.number(pagesRead),
          formatted: format.number(pageCount),
        }),
    formatDuration(ms, language),
    t('reading.lastPage', { page: format.number(lastPage) }),
    linkName && t('reading.byLink', { name: linkName }),
  ];
  return (
    <Box component="li" sx={{ py: 3, overflowWrap: 'anywhere', '& + &': { borderTop: 1, borderColor: 'divider' } }}>
      <Typography variant="subtitle2">{name ?? email}</Typography>
      {name && (
        <Typography variant="body2" color="textSecondary">
          {email}
        </Typography>
      )}
      <Typography variant="body2">{figures.filter(Boolean).join(' · ')}</Typography>
      <Typography variant="caption" color="textSecondary" component="p">
        {first === last ? first : t('openings.since', { first, last })}
      </Typography>
    </Box>
  );
}
