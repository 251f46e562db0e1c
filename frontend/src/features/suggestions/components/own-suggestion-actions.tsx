import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { invalidate } from '../../../shared/api/invalidate';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import type { Suggestion } from '../suggestion';
import { SuggestDialog } from './suggest-dialog';

/** Actions for the user's own suggestion, until an administrator has picked it up. */
export function OwnSuggestionActions({ suggestion }: { suggestion: Suggestion }) {
  const { t } = useTranslation('suggestions');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [openDialog, setOpenDialog] = useState<'edit' | 'withdraw' | null>(null);
  const { id, title } = suggestion;
  const withdraw = $api.useMutation('post', '/api/feature-suggestions/{id}/withdraw', {
    onSuccess: () => toast.success(t('own.withdrawn')),
    onError: (error) => toast.error(t('own.withdrawFailed'), errorText(error)),
    onSettled: () => {
      setOpenDialog(null);
      return invalidate(queryClient, 'POST /api/feature-suggestions/{id}/withdraw');
    },
  });
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      <Button size="small" aria-label={t('own.editNamed', { title })} onClick={() => setOpenDialog('edit')}>
        {t('own.edit')}
      </Button>
      <Button size="small" aria-label={t('own.withdrawNamed', { title })} onClick={() => setOpenDialog('withdraw')}>
        {t('own.withdraw')}
      </Button>
      <SuggestDialog open={openDialog === 'edit'} ownSuggestion={suggestion} onClose={() => setOpenDialog(null)} />
      <ConfirmDialog
        open={openDialog === 'withdraw'}
        title={t('own.withdrawNamed', { title })}
        confirmLabel={t('own.withdraw')}
        isPending={withdraw.isPending}
        onConfirm={() => withdraw.mutate({ params: { path: { id } } })}
        onClose={() => setOpenDialog(null)}
      >
        {t('own.withdrawText')}
      </ConfirmDialog>
    </Box>
  );
}
