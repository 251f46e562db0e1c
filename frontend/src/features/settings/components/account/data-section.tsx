import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CurrentUser } from '../../../../shared/api/current-user';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { toast } from '../../../../shared/toast/toast-store';
import { useDataExport } from '../../api/use-data-export';
import { DeleteAccountDialog } from './delete-account-dialog';
import { Section } from '../section';

/** Data export and account deletion. */
export function DataSection({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const dataExport = useDataExport();
  const [isDeleteDialogOpen, setIsDeleteDialogOpen] = useState(false);
  const exportData = () =>
    dataExport.mutate(undefined, {
      onSuccess: () => toast.success(t('data.exported')),
      onError: (error) => toast.error(t('data.exportFailed'), errorText(error)),
    });
  return (
    <Section id="data" title={t('data.title')}>
      <Subsection title={t('data.exportTitle')} text={t('data.exportText')}>
        <Button loading={dataExport.isPending} loadingPosition="start" onClick={exportData}>
          {t('data.export')}
        </Button>
      </Subsection>
      <Subsection title={t('data.deleteTitle')} text={t('data.deleteText')} hasDivider>
        <Button color="error" onClick={() => setIsDeleteDialogOpen(true)}>
          {t('data.delete')}
        </Button>
      </Subsection>
      <DeleteAccountDialog open={isDeleteDialogOpen} user={user} onClose={() => setIsDeleteDialogOpen(false)} />
    </Section>
  );
}

interface SubsectionProps {
  title: string;
  text: string;
  hasDivider?: boolean;
  children: ReactNode;
}

function Subsection({ title, text, hasDivider = false, children }: SubsectionProps) {
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 3,
        px: { xs: 4, sm: 6 },
        py: 4,
        borderTop: hasDivider ? 1 : 0,
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
