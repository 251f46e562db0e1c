import FolderOffRounded from '@mui/icons-material/FolderOffRounded';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { EmptyState } from '../../../shared/ui/empty-state';

/** Shown for the URL of a folder that doesn't exist or was deleted. */
export function FolderNotFound({ zoneId }: { zoneId: number }) {
  const { t } = useTranslation('files');
  return (
    <EmptyState
      icon={<FolderOffRounded />}
      title={t('folderNotFound')}
      text={t('folderNotFoundText')}
      action={
        <Button component={Link} to={`/zones/${zoneId}`}>
          {t('toRoot')}
        </Button>
      }
    />
  );
}
