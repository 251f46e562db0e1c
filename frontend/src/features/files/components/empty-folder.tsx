import CloudUploadRounded from '@mui/icons-material/CloudUploadRounded';
import FolderOpenRounded from '@mui/icons-material/FolderOpenRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { useMediaQuery } from '../../../shared/hooks/use-media-query';
import { EmptyState } from '../../../shared/ui/empty-state';

interface Props {
  /** The root of the zone, where nothing was ever uploaded. */
  isRoot: boolean;
  /** In a folder to which the viewer sends files. */
  isRequest: boolean;
  /** In a mirror, for people who manage the zone's files: files added to the source zone appear here. */
  isMirror: boolean;
  /** Maximum size of a file; null if the viewer can't upload. */
  maxFileBytes: number | null;
  /** Opens the file chooser; undefined if the viewer can't upload here. */
  onChooseFiles?: () => void;
  /** Opens the folder chooser; undefined if the viewer can't create folders here. */
  onChooseFolder?: () => void;
}

/** Empty state of a folder; a drop target for people who can upload. */
export function EmptyFolder({ isRoot, isRequest, isMirror, maxFileBytes, onChooseFiles, onChooseFolder }: Props) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const isTouchDevice = useMediaQuery('(pointer: coarse)');
  if (!onChooseFiles) {
    return (
      <Card>
        <EmptyState
          icon={<FolderOpenRounded />}
          title={isRoot ? t('empty.memberTitle') : t('empty.folderTitle')}
          text={t(isRequest ? 'empty.requestText' : isMirror ? 'empty.mirrorText' : 'empty.memberText')}
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
        text={t(isTouchDevice ? 'empty.ownerTextTouch' : 'empty.ownerText', {
          size: format.sizeLimit(maxFileBytes ?? 0),
        })}
        action={
          <>
            <Button onClick={onChooseFiles}>{t('chooseFiles')}</Button>
            {onChooseFolder && <Button onClick={onChooseFolder}>{t('chooseFolder')}</Button>}
          </>
        }
      />
    </Box>
  );
}
