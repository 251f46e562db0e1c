import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useListContext } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { FormField } from '../../../shared/ui/fields/form-field';
import { BulkActions } from '../../ui/list/selection';
import { useAdminMutation } from '../../ui/use-admin-mutation';

export type Suppression = Schema<'SuppressionDto'>;

/**
 * Lifts suppressions in bulk, for addresses whose emails only failed: the selected ones, or all since a day. Asks
 * before it does.
 */
export function BulkLiftActions() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const [activeDialog, setActiveDialog] = useState<'chosen' | 'since' | null>(null);
  const close = () => setActiveDialog(null);
  return (
    <>
      <BulkActions
        formatCount={(count) => t('suppressions.chosen', { count, formatted: format.number(count) })}
        clearLabel={t('suppressions.clear')}
        otherActions={<Button onClick={() => setActiveDialog('since')}>{t('suppressions.liftSince')}</Button>}
      >
        <Button variant="contained" onClick={() => setActiveDialog('chosen')}>
          {t('suppressions.liftChosen')}
        </Button>
      </BulkActions>
      <LiftSelectedDialog open={activeDialog === 'chosen'} onClose={close} />
      {activeDialog === 'since' && <LiftSinceDialog onClose={close} />}
    </>
  );
}

function useLiftSuppressions(onLifted: () => void) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const formatSuccess = (count: number) =>
    count === 0
      ? t('suppressions.liftedNone')
      : t('suppressions.liftedMany', { count, formatted: format.number(count) });
  return useAdminMutation<Schema<'LiftManyDto'>, number>({
    resource: 'suppressions',
    call: async (body) => {
      const { lifted } = (await api.POST('/api/admin/suppressions/lift', { body })).data!;
      onLifted();
      return lifted;
    },
    successMessage: formatSuccess,
    errorTitle: t('suppressions.liftManyFailed'),
  });
}

function LiftSelectedDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const { selectedIds, onUnselectItems } = useListContext<Suppression>();
  const liftSuppressions = useLiftSuppressions(() => {
    onUnselectItems();
    onClose();
  });
  return (
    <ConfirmDialog
      open={open}
      title={t('suppressions.askChosen')}
      confirmLabel={t('suppressions.liftConfirm')}
      tone="plain"
      isPending={liftSuppressions.isPending}
      onConfirm={() => liftSuppressions.mutate({ ids: selectedIds.map(Number) })}
      onClose={onClose}
    >
      {t('suppressions.askText')}
    </ConfirmDialog>
  );
}

function LiftSinceDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('admin');
  const [day, setDay] = useState('');
  const [isDayMissing, setIsDayMissing] = useState(false);
  const liftSuppressions = useLiftSuppressions(onClose);
  const confirmLift = () =>
    day ? liftSuppressions.mutate({ failedSince: `${day}T00:00:00Z` }) : setIsDayMissing(true);
  return (
    <ConfirmDialog
      open
      title={t('suppressions.askSince')}
      confirmLabel={t('suppressions.liftConfirm')}
      tone="plain"
      isPending={liftSuppressions.isPending}
      onConfirm={confirmLift}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <span>{t('suppressions.askText')}</span>
        <FormField
          id="failed-since"
          name="failedSince"
          type="date"
          label={t('suppressions.sinceDay')}
          help={t('suppressions.sinceHelp')}
          error={isDayMissing && !day ? t('suppressions.sinceRequired') : undefined}
          value={day}
          onChange={(event) => setDay(event.target.value)}
        />
      </Box>
    </ConfirmDialog>
  );
}
