import CloudUploadRounded from '@mui/icons-material/CloudUploadRounded';
import FolderOpenRounded from '@mui/icons-material/FolderOpenRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { useTranslation } from 'react-i18next';
import { useMedia } from '../../../shared/hooks/use-media';
import { EmptyState } from '../../../shared/ui/empty-state';

interface Props {
  /** At the top of the zone, where nothing was ever uploaded. */
  root: boolean;
  /** In a mirror, for who manages the files of its zone: what is added at its source appears here. */
  mirror: boolean;
  /** Opens the choice of files; without it the viewer may not upload here. */
  onChoose?: () => void;
}

/** A place without files: for who may upload, a place to drop them. */
export function EmptyFolder({ root, mirror, onChoose }: Props) {
  const { t } = useTranslation('files');
  const touch = useMedia('(pointer: coarse)');
  if (!onChoose) {
    return (
      <Card>
        <EmptyState
          icon={<FolderOpenRounded />}
          title={root ? t('empty.memberTitle') : t('empty.folderTitle')}
          text={mirror ? t('empty.mirrorText') : t('empty.memberText')}
        />
      </Card>
    );
  }
  return (
    <Box
      sx={{ border: 1, borderStyle: 'dashed', borderColor: 'outline', borderRadius: 2, bgcolor: 'background.paper' }}
    >
      <EmptyState
        icon={<CloudUploadRounded />}
        title={root ? t('empty.ownerTitle') : t('empty.folderTitle')}
        text={touch ? t('empty.ownerTextTouch') : t('empty.ownerText')}
        action={<Button onClick={onChoose}>{t('chooseFiles')}</Button>}
      />
    </Box>
  );
}
