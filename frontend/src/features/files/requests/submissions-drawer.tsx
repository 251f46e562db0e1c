import CloseRounded from '@mui/icons-material/CloseRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { useSubmissions, type RequestFolder, type Submission } from './use-file-request';

interface Props {
  folder: RequestFolder | null;
  onClose: () => void;
}

/** Who sent what to a folder, in a drawer next to the list. */
export function SubmissionsDrawer({ folder, onClose }: Props) {
  const id = useId();
  return (
    <Drawer
      anchor="right"
      open={folder !== null}
      onClose={onClose}
      slotProps={{ paper: { role: 'dialog', 'aria-labelledby': id, sx: { width: 'min(520px, 100vw)' } } }}
    >
      {folder && <SubmissionsContent folder={folder} titleId={id} onClose={onClose} />}
    </Drawer>
  );
}

function SubmissionsContent({
  folder,
  titleId,
  onClose,
}: {
  folder: RequestFolder;
  titleId: string;
  onClose: () => void;
}) {
  const { t } = useTranslation('files');
  const { t: tCommon } = useTranslation();
  const { submissions, error, refetch, loadMore } = useSubmissions(folder.id);
  return (
    <Stack spacing={5} sx={{ p: { xs: 4, sm: 6 } }}>
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 2 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography id={titleId} variant="h2">
            {t('request.submissions')}
          </Typography>
          <Typography color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {folder.name}
          </Typography>
        </Box>
        <IconButton aria-label={tCommon('actions.close')} onClick={onClose}>
          <CloseRounded />
        </IconButton>
      </Box>
      {error && !submissions && <ErrorState title={t('request.submissionsFailed')} error={error} onRetry={refetch} />}
      {!submissions && !error && <RowsSkeleton />}
      {submissions?.length === 0 && <Typography color="textSecondary">{t('request.nothingSent')}</Typography>}
      {submissions && groupBySender(submissions).map((files) => <SenderSection key={files[0]!.id} files={files} />)}
      {loadMore && <Button onClick={loadMore}>{t('request.more')}</Button>}
    </Stack>
  );
}

/** The server lists the files of each person together. */
function groupBySender(submissions: readonly Submission[]): Submission[][] {
  const groups: Submission[][] = [];
  for (const submission of submissions) {
    const group = groups.at(-1);
    if (group && senderKeyOf(group[0]!) === senderKeyOf(submission)) group.push(submission);
    else groups.push([submission]);
  }
  return groups;
}

const senderKeyOf = ({ sender }: Submission) => sender && `${sender.id} ${sender.email} ${sender.code}`;

function SenderSection({ files }: { files: readonly Submission[] }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const id = useId();
  const { sender } = files[0]!;
  return (
    <Box component="section" aria-labelledby={id}>
      <Typography id={id} variant="subtitle1" component="h3" sx={{ overflowWrap: 'anywhere' }}>
        {sender?.name ?? sender?.email ?? t(sender?.isGuest ? 'request.anonymousGuest' : 'request.deletedAccount')}
      </Typography>
      <Typography variant="body2" color="textSecondary">
        {[
          sender?.isGuest && t('request.byLink', { code: sender.code }),
          t('items', { count: files.length, formatted: format.number(files.length) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Typography>
      <Box component="ul" sx={{ m: 0, mt: 2, p: 0, listStyle: 'none' }}>
        {files.map(({ id: fileId, name, size, sentAt }) => (
          <Box component="li" key={fileId} sx={{ py: 2, borderTop: 1, borderColor: 'divider' }}>
            <Typography sx={{ overflowWrap: 'anywhere' }}>{name}</Typography>
            <Typography variant="body2" color="textSecondary">
              {format.dateTime(sentAt)} · {format.size(size)}
            </Typography>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
