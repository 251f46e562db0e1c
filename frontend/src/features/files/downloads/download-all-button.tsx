import DownloadRounded from '@mui/icons-material/DownloadRounded';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useTranslation } from 'react-i18next';
import { submitDownload } from '../../../shared/files/download';
import { useHandleDownloadError } from '../../../shared/files/use-handle-download-error';
import { useIsMobile } from '../../../shared/hooks/use-is-mobile';
import type { Entry } from '../entries';
import { isDownloadable } from './use-download';

interface Props {
  zoneId: number;
  /** null for the whole zone. */
  folderId: number | null;
  entries: readonly Entry[];
}

/** Downloads a whole zone or folder as one ZIP file; hidden if nothing in it can be downloaded. */
export function DownloadAllButton({ zoneId, folderId, entries }: Props) {
  const { t } = useTranslation('files');
  const onRefused = useHandleDownloadError();
  const isMobile = useIsMobile();
  if (!entries.some(isDownloadable)) return null;
  const download = () => {
    const fields: Record<string, string> = folderId === null ? { all: 'true' } : { folderIds: String(folderId) };
    submitDownload(`/api/zones/${zoneId}/download`, fields, onRefused);
  };
  if (isMobile) {
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
