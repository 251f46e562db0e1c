import CloudUploadRounded from '@mui/icons-material/CloudUploadRounded';
import FolderOpenRounded from '@mui/icons-material/FolderOpenRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { useTranslation } from 'react-i18next';
import { useMediaQuery } from '../../../shared/hooks/use-media-query';
import { EmptyState } from '../../../shared/ui/empty-state';

interface Props {
  /** At the top of the zone, where nothing was ever uploaded. */
  isRoot: boolean;
  /** In a mirror, for who manages the files of its zone: what is added at its source appears here. */
  isMirror: boolean;
  /** Opens the choice of files; without it the viewer may not upload here. */
  onChooseFiles?: () => void;
}

/** A place without files: for who may upload, a place to drop them. */
export function EmptyFolder({ isRoot, isMirror, onChooseFiles }: Props) {
  const { t } = useTranslation('files');
  const isTouchDevice = useMediaQuery('(pointer: coarse)');
  if (!onChooseFiles) {
    return (
      <Card>
        <EmptyState
          icon={<FolderOpenRounded />}
          title={isRoot ? t('empty.memberTitle') : t('empty.folderTitle')}
          text={isMirror ? t('empty.mirrorText') : t('empty.memberText')}
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
        title={isRoot ? t('empty.ownerTitle') : t('empty.folderTitle')}
        text={isTouchDevice ? t('empty.ownerTextTouch') : t('empty.ownerText')}
        action={<Button onClick={onChooseFiles}>{t('chooseFiles')}</Button>}
      />
    </Box>
  );
}
