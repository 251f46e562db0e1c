import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import type { UploadItem } from './sending/upload-item';
import { useUploadQueue } from './sending/page-uploads';

const MAX_SHOWN_NAMES = 5;

/** Asks what to do with files whose names are taken in the target folder. */
export function DuplicatesDialog({ items }: { items: readonly UploadItem[] }) {
  const uploadQueue = useUploadQueue();
  const id = useId();
  const duplicates = items.filter(({ state }) => state === 'duplicate');
  return (
    <Dialog open={duplicates.length > 0} onClose={() => uploadQueue.discardDuplicates()} aria-labelledby={id}>
      {duplicates.length > 0 && <DuplicatesPrompt titleId={id} duplicates={duplicates} />}
    </Dialog>
  );
}

function DuplicatesPrompt({ titleId, duplicates }: { titleId: string; duplicates: readonly UploadItem[] }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const uploadQueue = useUploadQueue();
  const names = duplicates.map(({ file }) => file.name);
  // The rest of a folder is uploaded anyway.
  const isInFolder = duplicates.some(({ folder }) => folder !== undefined);
  const hiddenCount = names.length - MAX_SHOWN_NAMES;
  return (
    <>
      <DialogTitle id={titleId}>{t('duplicates.title', { count: names.length })}</DialogTitle>
      <DialogContent>
        <Box component="ul" sx={{ m: 0, mb: 3, pl: 5, overflowWrap: 'anywhere' }}>
          {names.slice(0, MAX_SHOWN_NAMES).map((name, index) => (
            <li key={index}>{name}</li>
          ))}
          {hiddenCount > 0 && <li>{t('duplicates.more', { formatted: format.number(hiddenCount) })}</li>}
        </Box>
        <Typography color="textSecondary">{t('duplicates.text', { count: names.length })}</Typography>
      </DialogContent>
      <DialogActions>
        <Button onClick={() => uploadQueue.discardDuplicates()}>
          {t(isInFolder ? 'duplicates.skip' : 'duplicates.cancel')}
        </Button>
        <Button onClick={() => uploadQueue.resolveDuplicates('replace')}>{t('duplicates.replace')}</Button>
        <Button variant="contained" color="primary" autoFocus onClick={() => uploadQueue.resolveDuplicates('rename')}>
          {t('duplicates.rename')}
        </Button>
      </DialogActions>
    </>
  );
}
