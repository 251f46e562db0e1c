import DownloadRounded from '@mui/icons-material/DownloadRounded';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useTranslation } from 'react-i18next';
import { postDownload } from '../../../shared/files/download';
import { useRefusedDownload } from '../../../shared/files/use-refused-download';
import { useNarrow } from '../../../shared/hooks/use-narrow';
import type { Entry } from '../entries';
import { isDownloadable } from './use-download';

interface Props {
  zoneId: number;
  /** null for the whole zone. */
  folderId: number | null;
  entries: readonly Entry[];
}

/** Downloads a whole zone, or a whole folder, as one archive; nothing where nothing in it may be kept. */
export function DownloadAll({ zoneId, folderId, entries }: Props) {
  const { t } = useTranslation('files');
  const onRefused = useRefusedDownload();
  const narrow = useNarrow();
  if (!entries.some(isDownloadable)) return null;
  const download = () => {
    const fields: Record<string, string> = folderId === null ? { all: 'true' } : { folderIds: String(folderId) };
    postDownload(`/api/zones/${zoneId}/download`, fields, onRefused);
  };
  if (narrow) {
    return (
      <Tooltip title={t('downloadAll')}>
        <IconButton aria-label={t('downloadAll')} onClick={download}>
          <DownloadRounded />
        </IconButton>
      </Tooltip>
    );
  }
  return (
    <Button startIcon={<DownloadRounded />} onClick={download}>
      {t('downloadAll')}
    </Button>
  );
}
