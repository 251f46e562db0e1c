import UploadRounded from '@mui/icons-material/UploadRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { toast } from '../../../shared/toast/toast-store';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { FileRequestDialog } from './file-request-dialog';
import { SubmissionsDrawer } from './submissions-drawer';
import { useStopFileRequest, type FileRequest, type RequestFolder } from './use-file-request';

interface Props {
  folder: RequestFolder & { fileRequest: FileRequest };
  canManage: boolean;
  /** Opens the file chooser; undefined if the viewer can't send files. */
  onChooseFiles?: () => void;
}

/** What a folder requests: for senders with a button to send files, for managers with who sent what. */
export function FileRequestBanner({ folder, canManage, onChooseFiles }: Props) {
  const { t } = useTranslation('files');
  const id = useId();
  const { instructions, isOpen } = folder.fileRequest;
  return (
    <Card
      component="section"
      aria-labelledby={id}
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 4, p: 4, mb: 4 }}
    >
      <Box sx={{ flex: '1 1 280px', minWidth: 0 }}>
        <Typography id={id} variant="subtitle1" component="h3">
          {t(isOpen ? 'request.open' : 'request.closed')}
        </Typography>
        {instructions && (
          <Typography sx={{ mt: 1, whiteSpace: 'pre-line', overflowWrap: 'anywhere', maxWidth: '72ch' }}>
            {instructions}
          </Typography>
        )}
        <Terms request={folder.fileRequest} isSender={!canManage} />
      </Box>
      {canManage ? (
        <ManagerActions folder={folder} />
      ) : (
        onChooseFiles && (
          <Button variant="contained" color="primary" startIcon={<UploadRounded />} onClick={onChooseFiles}>
            {t('request.send')}
          </Button>
        )
      )}
    </Card>
  );
}

function Terms({ request, isSender }: { request: FileRequest; isSender: boolean }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const { closesAt, isOpen, isPrivate, maxFilesPerPerson, maxFileBytes, sentFiles } = request;
  const sent =
    maxFilesPerPerson === null
      ? t('request.sent', { count: sentFiles, formatted: format.number(sentFiles) })
      : t('request.sentOf', {
          count: maxFilesPerPerson,
          sent: format.number(sentFiles),
          allowed: format.number(maxFilesPerPerson),
        });
  const limit =
    maxFilesPerPerson !== null &&
    t('request.perPerson', { count: maxFilesPerPerson, formatted: format.number(maxFilesPerPerson) });
  const terms = [
    closesAt && t(isOpen ? 'request.until' : 'request.wasUntil', { date: format.dateTime(closesAt) }),
    isSender ? sent : limit,
    maxFileBytes !== null && t('request.upTo', { size: format.sizeLimit(maxFileBytes) }),
  ];
  const visibility = isSender ? (isPrivate ? 'seenByManagers' : 'seenByAll') : isPrivate ? 'isPrivate' : 'isForAll';
  return (
    <>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
        {terms.filter(Boolean).join(' · ')}
      </Typography>
      <Typography variant="body2" color="textSecondary">
        {t(`request.${visibility}`)}
      </Typography>
    </>
  );
}

function ManagerActions({ folder }: Pick<Props, 'folder'>) {
  const { t } = useTranslation('files');
  const errorText = useErrorText();
  const [opened, setOpened] = useState<'submissions' | 'edit' | 'stop' | null>(null);
  const stop = useStopFileRequest(folder.id);
  const close = () => setOpened(null);
  const confirmStop = async () => {
    try {
      // The banner may be gone by then, and callbacks of `mutate` with it.
      await stop.mutateAsync();
      toast.success(t('request.stopped'));
    } catch (error) {
      toast.error(t('request.stopFailed'), errorText(error));
    }
    close();
  };
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      <Button variant="contained" color="primary" onClick={() => setOpened('submissions')}>
        {t('request.submissions')}
      </Button>
      <Button onClick={() => setOpened('edit')}>{t('request.edit')}</Button>
      <Button onClick={() => setOpened('stop')}>{t('request.stop')}</Button>
      <FileRequestDialog folder={opened === 'edit' ? folder : null} onClose={close} />
      <SubmissionsDrawer folder={opened === 'submissions' ? folder : null} onClose={close} />
      <ConfirmDialog
        open={opened === 'stop'}
        title={t('request.stopAsk')}
        confirmLabel={t('request.stop')}
        isPending={stop.isPending}
        onConfirm={() => void confirmStop()}
        onClose={close}
      >
        {t('request.stopText')}
      </ConfirmDialog>
    </Box>
  );
}
