import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { touch } from '../../../shared/api/touch';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import type { Suggestion } from '../suggestion';
import { SuggestDialog } from './suggest-dialog';

/** What one may do with one's own suggestion while nobody has taken it up. */
export function OwnActions({ suggestion }: { suggestion: Suggestion }) {
  const { t } = useTranslation('suggestions');
  const errorText = useErrorText();
  const queries = useQueryClient();
  const [open, setOpen] = useState<'edit' | 'withdraw' | null>(null);
  const { id, title } = suggestion;
  const withdraw = $api.useMutation('post', '/api/feature-suggestions/{id}/withdraw', {
    onSuccess: () => toast.success(t('own.withdrawn')),
    onError: (error) => toast.error(t('own.withdrawFailed'), errorText(error)),
    onSettled: () => {
      setOpen(null);
      return touch(queries, 'POST /api/feature-suggestions/{id}/withdraw');
    },
  });
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      <Button size="small" aria-label={t('own.editNamed', { title })} onClick={() => setOpen('edit')}>
        {t('own.edit')}
      </Button>
      <Button size="small" aria-label={t('own.withdrawNamed', { title })} onClick={() => setOpen('withdraw')}>
        {t('own.withdraw')}
      </Button>
      <SuggestDialog open={open === 'edit'} own={suggestion} onClose={() => setOpen(null)} />
      <ConfirmDialog
        open={open === 'withdraw'}
        title={t('own.withdrawNamed', { title })}
        confirmLabel={t('own.withdraw')}
        busy={withdraw.isPending}
        onConfirm={() => withdraw.mutate({ params: { path: { id } } })}
        onClose={() => setOpen(null)}
      >
        {t('own.withdrawText')}
      </ConfirmDialog>
    </Box>
  );
}
