import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CurrentUser } from '../../../../shared/api/current-user';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { toast } from '../../../../shared/toast/toast-store';
import { useExport } from '../../api/use-export';
import { DeleteAccountDialog } from './delete-account-dialog';
import { Section } from '../section';

/** Taking one's data along, and leaving for good. */
export function DataSection({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const exporting = useExport();
  const [leaving, setLeaving] = useState(false);
  const takeAlong = () =>
    exporting.mutate(undefined, {
      onSuccess: () => toast.success(t('data.exported')),
      onError: (error) => toast.error(t('data.exportFailed'), errorText(error)),
    });
  return (
    <Section id="data" title={t('data.title')}>
      <Part title={t('data.exportTitle')} text={t('data.exportText')}>
        <Button loading={exporting.isPending} loadingPosition="start" onClick={takeAlong}>
          {t('data.export')}
        </Button>
      </Part>
      <Part title={t('data.deleteTitle')} text={t('data.deleteText')} line>
        <Button color="error" onClick={() => setLeaving(true)}>
          {t('data.delete')}
        </Button>
      </Part>
      <DeleteAccountDialog open={leaving} user={user} onClose={() => setLeaving(false)} />
    </Section>
  );
}

interface PartProps {
  title: string;
  text: string;
  line?: boolean;
  children: ReactNode;
}

function Part({ title, text, line = false, children }: PartProps) {
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 3,
        px: { xs: 4, sm: 6 },
        py: 4,
        borderTop: line ? 1 : 0,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ flex: '1 1 280px', minWidth: 0 }}>
        <Typography variant="subtitle2" component="h3">
          {title}
        </Typography>
        <Typography color="textSecondary">{text}</Typography>
      </Box>
      {children}
    </Box>
  );
}
